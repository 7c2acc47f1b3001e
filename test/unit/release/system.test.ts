import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { createSystem, HostFailure } from "../../../src/host/index.ts";
import { createPrograms, environmentOf } from "../../../src/host/system/programs.ts";
import { createSystemd } from "../../../src/host/system/systemd.ts";
import { sharedFolder } from "../../support/folder.ts";
import { makeScratchHost } from "../../support/scratch.host.ts";

const folder = sharedFolder();
const run = createPrograms({ path: process.env["PATH"] });

/** Resolves to the sentences of a failure; empty where nothing failed. */
async function failureOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof HostFailure) return `${error.message}: ${error.advice}`;
    throw error;
  }
  return "";
}

test("D-80 the program that judges signatures is the system's own, whatever else PATH names", async () => {
  for (const name of ["ssh-keygen", "systemctl"]) {
    await Bun.write(join(folder, "planted", name), "#!/bin/sh\necho planted\n");
    chmodSync(join(folder, "planted", name), 0o755);
  }
  const planting = createPrograms({ path: join(folder, "planted") });
  expect((await planting(["systemctl"])).output).toBe("planted");
  expect((await planting(["ssh-keygen", "-Y", "find-principals"])).output).not.toContain("planted");
});

test("R-44 one release at a time: the lock goes with its process, however that ends", async () => {
  const path = join(folder, "lock");
  const script = `import { takeLock } from ${JSON.stringify(join(import.meta.dir, "../../../src/host/system/lock.ts"))};
    console.log(takeLock(${JSON.stringify(path)}) !== undefined); setInterval(() => {}, 1000);`;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const { value } = await holder.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("true\n");
  const { takeLock } = createSystem();
  expect(takeLock(path)).toBeUndefined();
  holder.kill("SIGKILL");
  await holder.exited;
  const free = takeLock(path);
  expect(free).toBeFunction();
  expect(takeLock(path)).toBeUndefined();
  free?.();
  takeLock(path)?.();
});

test("R-44 a release that finds another one under way ends with a sentence, and changes nothing", async () => {
  const host = await makeScratchHost();
  await host.upload("ada");
  const { done, output } = await host.run("activate", "ada", { ...host.system, takeLock: () => undefined });
  expect({ done, output }).toEqual({
    done: false,
    output:
      "FAILED while taking the lock: another release of gatehouse is under way\n" +
      "what to do: wait until it is over (journalctl -t gatehouse-release -f)",
  });
  await host.remove();
});

test("R-49 not root, no systemd and one that is too old end with a sentence each, before anything is changed", async () => {
  const host = await makeScratchHost();
  await host.upload("ada");
  const { output } = await host.run("activate", "ada", { ...host.system, isRoot: () => false });
  expect(output).toBe(
    "FAILED while getting ready: this is not run by root\nwhat to do: run it as root, such as with sudo",
  );
  await host.remove();

  const check = (version: string, booted: string): Promise<string> =>
    failureOf(
      createSystemd({ booted, run: async () => ({ code: 0, output: `systemd ${version}`, complaint: "" }) }).check,
    );
  expect(await check("252", join(folder, "absent"))).toStartWith("systemd does not run this host: take a host with");
  expect(await check("247 (247.3-7)", folder)).toMatch(/^this host has systemd 247, and the units need 252 or later: /);
  expect(await check("252 (252.39)", folder)).toBe("");
  expect(await check("257.9", folder)).toBe("");
});

test("a program of the host is bounded in time and in what it prints, and a missing one is named with its package", async () => {
  expect(await failureOf(() => run(["sleep", "60"], { timeoutMs: 50 }))).toMatch(/^sleep did not end within 0\.05 s: /);
  expect(await failureOf(() => run(["yes"]))).toMatch(/^yes printed more than \d+ bytes: /);
  const absent = () => createPrograms({ path: folder })(["systemctl-that-is-missing"]);
  expect(await failureOf(absent)).toMatch(/^the program systemctl-that-is-missing is missing: install/);
  expect(await run(["sh", "-c", "cat; echo oh >&2; exit 3"], { stdin: new Blob(["hello\n"]) })).toEqual({
    code: 3,
    output: "hello",
    complaint: "oh",
  });
});

test("a process is known by its own connection, and not by its port", async () => {
  const { processes, openInstance } = createSystem();
  for (const hostname of ["127.0.0.1", "::1", "::"]) {
    const server = Bun.serve({ hostname, port: 0, fetch: () => new Response("here", { status: 202 }) });
    const { port = 0 } = server;
    const place = (await processes.listenersOf(process.pid)).find((listener) => listener.port === port);
    const connection = await openInstance(place?.hosts[0] ?? "", port);
    expect(await connection.get("/")).toEqual({ status: 202, body: "here" });
    expect(await processes.hasConnection(process.pid, port, connection.localPort)).toBeTrue();
    expect(await processes.hasConnection(process.ppid, port, connection.localPort)).toBeFalse();
    expect(await processes.hasConnection(process.pid, port, connection.localPort + 1)).toBeFalse();
    connection.close();
    await server.stop(true);
  }
});

test("R-49 programs are never looked for in the folder in which a command is called", () => {
  const system = environmentOf().PATH;
  expect(environmentOf(".:/opt/tools::bin:~/bin").PATH).toBe(`/opt/tools:${system}`);
  expect(system.split(":").every((folder) => folder.startsWith("/"))).toBe(true);
});

test("a process is known to have begun when it did", async () => {
  const { processes } = createSystem();
  const before = Date.now();
  const child = Bun.spawn(["sleep", "60"]);
  const at = (await processes.startedAt(child.pid)) ?? 0;
  child.kill();
  await child.exited;
  // The kernel counts in hundredths of a second.
  expect(at).toBeGreaterThan(before - 100);
  expect(at).toBeLessThan(Date.now() + 100);
  expect(await processes.startedAt(2 ** 30)).toBeUndefined();
});
