import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packClient } from "../../src/build/npm/client.ts";
import { stage } from "../support/stage.ts";

const mostBytes = 6 * 1024;
const missing = ["node", "npm"].filter((program) => Bun.which(program) === null);

const { target, people } = await stage();
let folder = "";
let packed = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-client-"));
  packed = await packClient(join(folder, "client"), "1.2.3");
});
afterAll(() => rm(folder, { recursive: true }));

const built = (name: string): Promise<string> => Bun.file(join(folder, "client", name)).text();

test(`the module takes at most ${mostBytes / 1024} KB of a page's download, and needs nothing besides`, async () => {
  const module = await built("index.js");
  expect(Bun.gzipSync(module, { level: 9 }).length).toBeLessThanOrEqual(mostBytes);
  expect(new Bun.Transpiler({ loader: "js" }).scan(module)).toEqual({ imports: [], exports: ["createClient"] });
  expect(JSON.parse(await built("package.json"))).not.toHaveProperty("dependencies");
});

test("the module for backends stands alone, too", async () => {
  const module = await built("service.js");
  expect(Bun.gzipSync(module, { level: 9 }).length).toBeLessThanOrEqual(mostBytes);
  expect(new Bun.Transpiler({ loader: "js" }).scan(module)).toEqual({ imports: [], exports: ["createServiceClient"] });
  const types = await built("service.d.ts");
  expect(types).toContain("export declare function createServiceClient(options: ServiceClientOptions): ServiceClient;");
  expect(types).not.toMatch(/\bimport\b|\bfrom "/);
});

test("the module for programs that sign people in stands alone, too", async () => {
  const module = await built("oauth.js");
  expect(Bun.gzipSync(module, { level: 9 }).length).toBeLessThanOrEqual((mostBytes * 2) / 3);
  expect(new Bun.Transpiler({ loader: "js" }).scan(module)).toEqual({ imports: [], exports: ["createProgram"] });
  const types = await built("oauth.d.ts");
  expect(types).toContain("export declare function createProgram(options: ProgramOptions): Program;");
  expect(types).not.toMatch(/\bimport\b|\bfrom "/);
});

test("the types stand in one file that imports none", async () => {
  const types = await built("index.d.ts");
  expect(types).toContain("export declare function createClient(options?: ClientOptions): Client;");
  expect(types).not.toMatch(/\bimport\b|\bfrom "/);
});

describe.skipIf(missing.length > 0)(
  `the package, installed by npm${missing.length > 0 ? ` (no ${missing.join()})` : ""}`,
  () => {
    const app = (): string => join(folder, "app");
    async function run(...cmd: string[]): Promise<{ code: number; output: string }> {
      const child = Bun.spawn(cmd, { cwd: app(), stdin: "ignore", stdout: "pipe", stderr: "pipe", timeout: 30_000 });
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      return { code: await child.exited, output: `${stdout}${stderr}` };
    }

    beforeAll(async () => {
      await Bun.write(join(app(), "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
      const installed = await run("npm", "install", "--offline", "--no-audit", "--no-fund", packed);
      expect(installed).toMatchObject({ code: 0 });
    });

    test("signs in from Node, refreshes once for many requests, and signs out", async () => {
      const ada = await people.register("ada");
      await Bun.write(
        join(app(), "program.js"),
        `import { createClient } from "gatehouse-client";
      const [baseUrl, login, password] = process.argv.slice(2);
      let kept = null;
      let refreshes = 0;
      const client = createClient({
        baseUrl,
        storage: { load: () => kept, save: (next) => void (kept = next), clear: () => void (kept = null) },
        fetch(url, init) {
          if (url.endsWith("/refresh")) refreshes += 1;
          return fetch(url, init);
        },
        onSignedOut: (reason) => console.log(reason),
      });
      const wrong = await client.login({ login, password: "a wrong guess" });
      console.log(wrong.code, wrong.status);
      console.log((await client.login({ login, password })).user.username);
      kept.session.access_token = "x";
      const all = await Promise.all([client.getMe(), client.hello(), client.listSessions()]);
      console.log(all.map(({ ok }) => ok).join(), refreshes);
      console.log((await client.logout()).ok, (await client.getMe()).code);`,
      );
      const { code, output } = await run("node", "program.js", target.url, ada.email, ada.password);
      const lines = ["invalid_credentials 401", ada.username, "true,true,true 1", "signed_out", "true unauthorized"];
      expect({ code, lines: output.trim().split("\n") }).toEqual({ code: 0, lines });
    });

    test("has types that a strict program can rely on", async () => {
      await Bun.write(
        join(app(), "program.ts"),
        `import { createClient, type Client, type Failure, type Kept, type User } from "gatehouse-client";
      let kept: Kept | null = null;
      const client: Client = createClient({
        baseUrl: "https://auth.example.com",
        storage: { load: () => kept, save: (next) => void (kept = next), clear: () => void (kept = null) },
      });
      export async function signIn(login: string, password: string): Promise<User | Failure> {
        const result = await client.login({ login, password, remember: true });
        if (result.ok) return result.user;
        if (result.code === "account_locked") setTimeout(() => undefined, result.retryAfterSeconds);
        const why: "required" | "too_short" | string | undefined = result.fields?.["login"]?.code;
        return why === undefined ? result : { ...result, error: why };
      }
      // @ts-expect-error a code that there is none of
      export const isOdd = async () => { const result = await client.getMe(); return !result.ok && result.code === "odd"; };
      // @ts-expect-error a field that is missing
      void client.login({ login: "ada" });
      // @ts-expect-error a user is there only where the call went well
      export const user = (await client.getMe()).user;`,
      );
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        target: "es2022",
        module: "nodenext",
        lib: ["es2022", "dom"],
        types: [],
      };
      await Bun.write(join(app(), "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["program.ts"] }));
      const checked = await run(process.execPath, "check", "--no-pretty");
      expect(checked).toMatchObject({ code: 0 });
    });
  },
);
