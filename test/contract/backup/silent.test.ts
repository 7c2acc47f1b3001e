import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { calm } from "../../support/auth.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { runGatehouse } from "../../support/process.ts";

const folder = folderOfEachTest();
const second = 1_000;

interface Line {
  readonly sockets: Set<Bun.Socket>;
  readonly port: number;
  stop(): void;
}

/** Takes every connection. `answer` is sent at once, and then `drop` every half second. */
function listen(answer: string, drop: string): Line {
  const sockets = new Set<Bun.Socket>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => void sockets.add(socket),
      data: (socket) => void (answer !== "" && socket.write(answer)),
      close: (socket) => void sockets.delete(socket),
    },
  });
  const timer = setInterval(() => sockets.forEach((socket) => drop !== "" && socket.write(drop)), second / 2);
  return {
    sockets,
    port: server.port,
    stop() {
      clearInterval(timer);
      server.stop(true);
    },
  };
}

const lines: Line[] = [];
let path: string;
beforeEach(async () => {
  path = join(folder(), "data", "app.db");
  const env = { ...testEnvironment(folder()), ...calm, DB_DATABASE: path };
  expect((await runGatehouse(["migrate"], { cwd: folder(), env })).code).toBe(0);
});
afterEach(() => lines.splice(0).forEach((line) => line.stop()));

const file = "backups/gatehouse-testing-00000000-20261121T034000Z.db";
const commands = [
  ["backup:create", "--disk", "off-site"],
  ["backup:list", "--disk", "off-site"],
  ["backup:verify", "--disk", "off-site", "--file", file],
  ["backup:verify", "--disk", "off-site", "--file", file, "--unverified"],
  ["backup:restore", "--disk", "off-site", "--file", file, "--force"],
  ["backup:restore", "--disk", "off-site", "--force"],
  ["backup:drill", "--disk", "off-site"],
] as const;

/** How each of the commands ends, and after how long. All at once: they wait most of the time. */
async function ends(name: string, line: Line) {
  lines.push(line);
  const env = {
    ...testEnvironment(folder()),
    ...calm,
    STORAGE_OFF_SITE_DRIVER: "s3",
    STORAGE_OFF_SITE_BUCKET: "offsite",
    STORAGE_OFF_SITE_ENDPOINT: `http://127.0.0.1:${line.port}`,
    STORAGE_OFF_SITE_ACCESS_KEY_ID: "AKIDADA",
    STORAGE_OFF_SITE_SECRET_ACCESS_KEY: "ada's secret access key",
  };
  return Promise.all(
    commands.map(async (args) => {
      const cwd = join(folder(), name, args.join("").replaceAll(/\W/g, ""));
      await Bun.write(join(cwd, "app.db"), Bun.file(path));
      const began = performance.now();
      const { code, stderr } = await runGatehouse(args, {
        cwd,
        env: { ...env, DB_DATABASE: join(cwd, "app.db") },
        limitMs: 120 * second,
      });
      const leftOver = readdirSync(cwd).filter((name) => name !== "app.db");
      return { command: args.join(" "), code, stderr, seconds: (performance.now() - began) / second, leftOver };
    }),
  );
}

test("D-59 a bucket that never answers costs a command half a minute, and one that answers in drops a minute", async () => {
  const headers = ["content-length: 6000", "last-modified: Sat, 21 Nov 2026 03:40:00 GMT"];
  const [silent, slow] = await Promise.all([
    ends("silent", listen("", "")),
    ends("slow", listen(["HTTP/1.1 200 OK", ...headers, "", ""].join("\r\n"), "x")),
  ]);
  for (const { command, code, stderr, seconds, leftOver } of silent) {
    expect({ command, code, leftOver }).toEqual({ command, code: 1, leftOver: [] });
    expect(stderr).toMatch(
      /storage disk "off-site" \(http:\/\/127\.0\.0\.1:\d+\/offsite\): no answer for \d+ seconds\n$/,
    );
    expect({ command, isInTime: seconds < 45 }).toEqual({ command, isInTime: true });
  }
  for (const { command, code, stderr, seconds, leftOver } of slow) {
    expect({ command, code, leftOver }).toEqual({ command, code: 1, leftOver: [] });
    expect(stderr).toMatch(/no answer for \d+ seconds|too slowly: \d+ of 6000 bytes in \d+ seconds/);
    expect({ command, isInTime: seconds < 75 }).toEqual({ command, isInTime: true });
  }
}, 240_000);
