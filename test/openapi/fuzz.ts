import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { providerOn } from "../contract/idp/idp.fixture.ts";
import { runGatehouse } from "../support/process.ts";
import { pythonPackages } from "../support/python.ts";
import { startStage } from "../support/stage.ts";

/** Identities that ask. Each of them tries every operation of the document. */
const identities = ["anonymous", "session", "bearer", "service"] as const;
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "takes_what_is_valid",
];

/** Settings with limits as high as they go: the cases try the API, not how it refuses a flood. */
const unlimited = {
  API_DOCS_ENABLED: "true",
  ORGANIZATIONS_ENABLED: "true",
  AUTH_PERSONAL_TOKENS_ENABLED: "true",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_IP_LOGIN_FAILURES: "1000000",
  AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
};

type Identity = (typeof identities)[number];

interface FuzzOptions {
  /** The identities that ask. Default: each. */
  readonly as?: readonly Identity[];
  /** About how many cases are tried in all. */
  readonly cases: number;
  /** The longest that one identity may take. */
  readonly limitMs: number;
}

export interface Fuzzed {
  readonly identity: Identity;
  readonly cases: number;
  /** Findings in schemathesis's words; empty when nothing was found. */
  readonly found: string;
}

const settings = join(import.meta.dir, "schemathesis.toml");
const hooks = join(import.meta.dir, "hooks.py");
const Paths = Type.Object({ paths: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())) });

/** Tries the API with what its OpenAPI document allows and forbids, by schemathesis: the same cases in every run. */
export async function fuzz({ as = identities, cases, limitMs }: FuzzOptions): Promise<Fuzzed[]> {
  const python = await pythonPackages();
  // With keys, the provider and personal tokens, every route of the document is mounted.
  const env = { ...unlimited, ...providerOn };
  const { target, stop } = await startStage({ ownProcess: true, env });
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-fuzz-"));
  try {
    const answer = await (await fetch(`${target.url}/openapi/json`)).json();
    await Bun.write(join(folder, "openapi.json"), JSON.stringify(answer));
    const operations = Object.values(Value.Parse(Paths, answer).paths).flatMap(Object.keys).length;
    const each = Math.max(1, Math.ceil(cases / as.length / operations));
    const scopes = ["--scope", "introspect,users:read,users:write,users:roles"];
    const created = await runGatehouse(["service:create", "fuzz", ...scopes], { cwd: target.folder, env: target.env });
    const secret = /gh_[\w-]+/.exec(created.stdout)?.[0] ?? "";
    const fuzzed: Fuzzed[] = [];
    for (const identity of as) {
      const args = ["--config-file", settings, "run", "openapi.json", "--url", target.url]
        .concat(["--phases", "examples,fuzzing", "--max-examples", String(each), "--checks", checks.join(",")])
        .concat(["--continue-on-failure", "--max-redirects", "0", "--request-timeout", "10", "--warnings", "off"]);
      const env = {
        GATEHOUSE_URL: target.url,
        GATEHOUSE_IDENTITY: identity,
        GATEHOUSE_SERVICE_SECRET: secret,
        SCHEMATHESIS_HOOKS: hooks,
        NO_COLOR: "1",
        PYTHONDONTWRITEBYTECODE: "1",
      };
      const { code, stdout, stderr } = await python.run("schemathesis", args, { cwd: folder, env, limitMs });
      const generated = Number(/(\d+) generated/.exec(stdout)?.[1] ?? 0);
      fuzzed.push({ identity, cases: generated, found: code === 0 ? "" : `${code}\n${stdout}${stderr}` });
    }
    return fuzzed;
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const at = Bun.argv.indexOf("--cases");
  const cases = at === -1 ? 10_000 : Number(Bun.argv[at + 1]);
  const fuzzed = await fuzz({ cases, limitMs: 30 * 60_000 });
  for (const { identity, cases, found } of fuzzed)
    process.stdout.write(`${identity}: ${cases} cases${found && `\n${found}`}\n`);
  process.exit(fuzzed.every(({ found }) => found === "") ? 0 : 1);
}
