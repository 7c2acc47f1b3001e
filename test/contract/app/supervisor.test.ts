import { afterEach, expect, test } from "bun:test";
import { untilLogged } from "../../support/log.ts";
import { dlopen, ptr } from "bun:ffi";
import { join } from "node:path";
import { runGatehouse } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const libc = () =>
  dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    recv: { args: ["i32", "ptr", "u64", "i32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  });

/** Opens a datagram socket, under a path or an abstract name, as systemd does for its services. */
function listen(address: string) {
  const { symbols, close } = libc();
  const name = Buffer.from(address);
  const at = Buffer.alloc(3 + name.length);
  at.writeUInt16LE(1, 0);
  name.copy(at, 2);
  const isAbstract = address.startsWith("@");
  if (isAbstract) at[2] = 0;
  const socket = symbols.socket(1, 2, 0);
  expect(symbols.bind(socket, ptr(at), isAbstract ? at.length - 1 : at.length)).toBe(0);
  closers.push(() => {
    symbols.close(socket);
    close();
  });
  const buffer = Buffer.alloc(4_096);
  const heard: string[] = [];
  return {
    /** Returns everything that was said so far. */
    heard(): readonly string[] {
      for (;;) {
        const size = Number(symbols.recv(socket, ptr(buffer), buffer.length, 0x40));
        if (size < 0) return heard;
        heard.push(buffer.toString("utf8", 0, size));
      }
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error("not in time");
    await Bun.sleep(10);
  }
}

const abstractName = `@gatehouse-test-${process.pid}`;
test.skipIf(process.platform !== "linux").each([
  ["a path", ""],
  ["an abstract name", abstractName],
])("a supervisor that listens on %s hears of the start, of life, and of the stop and its length", async (_, name) => {
  const address = name === "" ? join("/tmp", `gatehouse-notify-${process.pid}-${Date.now()}.sock`) : name;
  const supervisor = listen(address);
  if (name === "") closers.push(() => void Bun.file(address).delete());
  const env = {
    NOTIFY_SOCKET: address,
    WATCHDOG_USEC: "200000",
    APP_SHUTDOWN_TIMEOUT: "20s",
    QUEUE_SHUTDOWN_TIMEOUT: "40s",
  };
  const target = await startTarget({ ownProcess: true, env });
  const isPing = (message: string): boolean => message === "WATCHDOG=1";
  await until(() => supervisor.heard().filter(isPing).length >= 3);
  expect(supervisor.heard().find((message) => !isPing(message))).toMatch(
    /^READY=1\nSTATUS=\S+ \(\S+\): http, worker, scheduler$/,
  );
  expect(await target.stop()).toBe(0);
  expect(supervisor.heard().findLast((message) => !isPing(message))).toBe(
    "STOPPING=1\nSTATUS=stopping\nEXTEND_TIMEOUT_USEC=45000000",
  );
});

test("a process that is watched in another's name sends no sign of life", async () => {
  const address = `${abstractName}-other`;
  const supervisor = listen(address);
  const env = { NOTIFY_SOCKET: address, WATCHDOG_USEC: "50000", WATCHDOG_PID: "1" };
  const target = await startTarget({ ownProcess: true, env });
  await until(() => supervisor.heard().length > 0);
  await Bun.sleep(200);
  await target.stop();
  expect(supervisor.heard().filter((message) => message === "WATCHDOG=1")).toEqual([]);
});

test("a supervisor that can't be reached by its address stops the start; one that hears nothing does not", async () => {
  const target = await startTarget({ ownProcess: true, env: { NOTIFY_SOCKET: `${abstractName}-nobody` } });
  const env = { ...target.env, NOTIFY_SOCKET: "nonsense" };
  const { code, stderr } = await runGatehouse(["worker"], { cwd: target.folder, env });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("NOTIFY_SOCKET=nonsense") });
  await untilLogged(target, "the supervisor does not listen");
  expect(await target.stop()).toBe(0);
});
