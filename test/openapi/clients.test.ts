import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonMissing, pythonPackages } from "../support/python.ts";
import type { CommandResult } from "../support/process.ts";
import { stage } from "../support/stage.ts";

/** The tests generate clients from the OpenAPI document: each compiles, refuses an empty login where it has types, and logs in. */
const { target, people } = await stage({ env: { API_DOCS_ENABLED: "true" } });

const root = join(import.meta.dir, "..", "..");
const document = "openapi.json";
const password = "a long walk by the sea";
const generatingMs = 120_000;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-clients-"));
  await Bun.write(join(folder, document), await (await fetch(`${target.url}/openapi/json`)).text());
  await people.register("ada", { username: "ada", password });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(command: readonly string[]): Promise<CommandResult> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    NO_COLOR: "1",
    GATEHOUSE_URL: target.url,
    GATEHOUSE_PASSWORD: password,
  };
  const child = Bun.spawn([...command], { cwd: folder, env, stdout: "pipe", stderr: "pipe" });
  const limit = setTimeout(() => child.kill("SIGKILL"), generatingMs);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  clearTimeout(limit);
  return { code, stdout, stderr };
}

const generate = (tool: string, ...args: readonly string[]): Promise<CommandResult> =>
  run([process.execPath, "--bun", join(root, "node_modules", tool), ...args]);

/** Checks the types as strictly as those of this project, but generated code may have unused names. */
async function expectLogin(name: string, program: string, generated: string): Promise<void> {
  await Bun.write(join(folder, `${name}.ts`), program);
  const settings = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: "esnext",
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["esnext", "dom"],
      types: [],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    include: [`${name}.ts`, generated],
  };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(settings));
  expect(await run([process.execPath, "check", "--no-pretty"])).toMatchObject({ code: 0, stdout: "" });
  expect(await run([process.execPath, "--no-env-file", `${name}.ts`])).toMatchObject({
    code: 0,
    stdout: "ada invalid_credentials\n",
  });
}

test(
  "openapi-typescript",
  async () => {
    expect(await generate("openapi-typescript/bin/cli.js", document, "-o", "schema.d.ts")).toMatchObject({ code: 0 });
    const program = `
      import type { paths } from "./schema";
      type Login = paths["/api/v1/auth/login"]["post"];
      type Body = Login["requestBody"]["content"]["application/json"];
      type Answer = Login["responses"][200]["content"]["application/json"];
      type Refused = Login["responses"][401]["content"]["application/json"];
      // @ts-expect-error: both fields are required.
      export const empty: Body = {};
      declare const process: { env: Record<string, string> };
      const login = (body: Body) =>
        fetch(process.env.GATEHOUSE_URL + "/api/v1/auth/login", {
          method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      const answer: Answer = await (await login({ login: "ada", password: process.env.GATEHOUSE_PASSWORD! })).json();
      const refused: Refused = await (await login({ login: "ada", password: "not the password" })).json();
      const code: "invalid_credentials" | "mfa_required" = refused.code;
      console.log(answer.user.username, code);
      export {};
    `;
    await expectLogin("typed", program, "schema.d.ts");
  },
  generatingMs,
);

test(
  "@hey-api/openapi-ts",
  async () => {
    const generated = await generate(
      "@hey-api/openapi-ts/bin/run.js",
      "-i",
      document,
      "-o",
      "hey",
      "-c",
      "@hey-api/client-fetch",
      "--no-log-file",
    );
    expect(generated).toMatchObject({ code: 0 });
    const program = `
      import { login } from "./hey";
      import { client } from "./hey/client.gen";
      declare const process: { env: Record<string, string> };
      client.setConfig({ baseUrl: process.env.GATEHOUSE_URL! });
      // @ts-expect-error: both fields are required.
      export const empty = () => login({ body: {} });
      const { data } = await login({ body: { login: "ada", password: process.env.GATEHOUSE_PASSWORD! } });
      const { error } = await login({ body: { login: "ada", password: "not the password" } });
      console.log(data?.user.username, error?.code);
    `;
    await expectLogin("hey-login", program, "hey");
  },
  generatingMs,
);

test.skipIf(pythonMissing !== undefined)(
  `openapi-python-client${pythonMissing === undefined ? "" : ` (skipped: ${pythonMissing})`}`,
  async () => {
    const python = await pythonPackages();
    const env = { HOME: folder, GATEHOUSE_URL: target.url, GATEHOUSE_PASSWORD: password };
    const options = { cwd: folder, env, limitMs: generatingMs };
    const generated = await python.run(
      "openapi-python-client",
      ["generate", "--path", document, "--output-path", "python", "--fail-on-warning"],
      options,
    );
    expect(generated).toMatchObject({ code: 0 });
    const program = `
import os, sys
sys.path.insert(0, "python")
from gatehouse_app_client import Client
from gatehouse_app_client.api.sessions import login
from gatehouse_app_client.models import LoginBody
try:
    LoginBody()
    sys.exit("an empty login was taken")
except TypeError:
    pass
with Client(base_url=os.environ["GATEHOUSE_URL"]) as client:
    answer = login.sync(client=client, body=LoginBody(login="ada", password=os.environ["GATEHOUSE_PASSWORD"]))
    refused = login.sync(client=client, body=LoginBody(login="ada", password="not the password"))
    print(answer.user.username, refused.code)
`;
    expect(await python.run("python", ["-m", "compileall", "-q", "python"], options)).toMatchObject({ code: 0 });
    expect(await python.run("python", ["-c", program], options)).toMatchObject({
      code: 0,
      stdout: "ada invalid_credentials\n",
    });
  },
  5 * 60_000,
);
