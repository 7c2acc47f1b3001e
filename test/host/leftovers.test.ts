import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstall, createSystem, createUninstall, type InstallOptions } from "../../src/host/index.ts";
import { contentHash } from "../../src/core/crypto.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

test("R-68 what an installation left that was killed while it wrote a file goes with the app", async () => {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-host-"));
  folders.push(root);
  const binary = join(root, "gatehouse");
  await writeFile(binary, "a binary");
  await writeFile(`${binary}.sha256`, `${contentHash("a binary")}  gatehouse\n`);
  const never = () => Promise.reject(new Error("nothing is started below a folder"));
  const system = createSystem();
  const parts = { system, freshSecret: () => "a secret", activate: never, restart: never, untilReady: never, say() {} };
  const url = new URL("https://auth.example.test");
  const options: InstallOptions = { app: "gatehouse", root, url, binary, secrets: () => ["APP_KEY"] };
  const { written } = await createInstall(parts).install(options);
  const example = join(root, written.find((path) => path.endsWith(".cfg")) ?? "");
  const [leftover, foreign] = [`${example}.e752bb59f4d0.new`, `${example}.of-the-operator.new`];
  for (const path of [leftover, foreign]) await writeFile(path, "half of a file");
  await createUninstall(system).uninstall(options);
  expect([example, leftover, foreign].map((path) => existsSync(path))).toEqual([false, false, true]);
});
