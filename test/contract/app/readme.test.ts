import { afterAll, expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { manual } from "../../support/manual.ts";
import { shellBlocks } from "../../support/markdown.ts";
import { testTarget } from "../../support/process.ts";
import { startTarget, type Target } from "../../support/target.ts";

const root = join(import.meta.dir, "..", "..", "..");
const returnTokens = { AUTH_PASSWORD_RESET_RETURN_TOKEN: "true", AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "true" };

let target: Target | undefined;
afterAll(async () => {
  await target?.stop();
});

/** Puts the binary, or the sources in its place, where the walk calls `./dist/gatehouse`. */
async function placeBinary({ folder }: Target): Promise<void> {
  const command =
    testTarget === "binary" ? join(root, "dist", "gatehouse") : `${process.execPath} ${join(root, "src", "main.ts")}`;
  await mkdir(join(folder, "dist"));
  await writeFile(join(folder, "dist", "gatehouse"), `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(join(folder, "dist", "gatehouse"), 0o755);
}

async function walk(script: string, { url, port, env, folder }: Target): Promise<string[]> {
  const here = script.replaceAll("http://localhost:3000", url.replace(/\/$/, ""));
  // Each answer stands on a line of its own, whatever its last character.
  const shell = Bun.spawn(["bash", "-euo", "pipefail", "-c", `curl() { command curl "$@"; echo; }\n${here}`], {
    cwd: folder,
    env: { ...env, PATH: process.env["PATH"] ?? "", API_HTTP_PORT: String(port) },
    stdout: "pipe",
    stderr: "inherit",
    timeout: 30_000,
  });
  const output = await shell.stdout.text();
  expect(await shell.exited).toBe(0);
  return output.split("\n").filter((line) => line !== "");
}

test("the walk through the API does what it says, word for word", async () => {
  target = await startTarget({ env: returnTokens });
  await placeBinary(target);
  const [register = "", logins = "", sessions = "", reset = "", probes = ""] = shellBlocks(
    manual,
    "A walk through the API",
  );

  const [registered, hello] = await walk(register, target);
  expect(registered).toStartWith('{"ok":true,"user":{');
  expect(hello).toBe("Hello, ada@example.test!");

  const [loggedOut, loggedIn] = await walk(logins, target);
  expect(loggedOut).toBe('{"ok":true}');
  expect(loggedIn).toStartWith('{"ok":true,"user":{');

  const [refreshed, listed] = await walk(sessions, target);
  expect(refreshed).toStartWith('{"ok":true,"user":{');
  expect(listed).toContain('"current":true');

  const [confirmed, refused, again] = await walk(reset, target);
  expect(confirmed).toBe('{"ok":true}');
  expect(refused).toContain('"code":"unauthorized"');
  expect(again).toStartWith('{"ok":true,"user":{');

  const [health, ready, command] = await walk(probes, target);
  expect(health).toBe('{"status":"ok"}');
  expect(ready).toBe('{"status":"ready","app":"app"}');
  expect(command).toContain("ready");
});
