import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { providerOn } from "../contract/idp/idp.fixture.ts";
import { runGatehouse } from "../support/process.ts";
import { pythonPackages } from "../support/python.ts";
import { startStage } from "../support/stage.ts";

/** Identities that ask. Each of them tries every operation of the document. */
const identities = ["anonymous", "session", "bearer", "service"] as const;
/** Schemathesis's own checks, and those of hooks.py. */
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "positive_data_acceptance",
  "refuses_what_is_invalid",
  "knows_who_is_signed_in",
];

/** Settings with limits as high as they go: the cases try the API, not how it refuses a flood. */
const unlimited = {
  API_DOCS_ENABLED: "true",
  ORGANIZATIONS_ENABLED: "true",
  AUTH_PERSONAL_TOKENS_ENABLED: "true",
  AUTH_EMAIL_LOGIN_ENABLED: "true",
  AUTH_PASSWORD_RESET_RETURN_TOKEN: "true",
  AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "true",
  AUTH_OAUTH_GITHUB_CLIENT_ID: "gatehouse",
  AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret that GitHub does not know",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000000",
  AUTH_IP_LOGIN_FAILURES: "1000000",
  AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
  ORGANIZATIONS_MAX_PER_PERSON: "1000",
};

type Identity = (typeof identities)[number];

interface FuzzOptions {
  /** The identities that ask. Default: each. */
  readonly as?: readonly Identity[];
  /** How many cases are tried of each route, valid ones and others. */
  readonly each: number;
  /** The longest that one identity may take. */
  readonly limitMs: number;
}

export interface Fuzzed {
  readonly identity: Identity;
  readonly cases: number;
  /** Findings in schemathesis's words; empty when nothing was found. */
  readonly found: string;
  readonly tried: readonly Tried[];
}

/** What became of a case. */
type Tried = Static<typeof Tried>;
const Tried = Type.Object({
  operation: Type.String(),
  positive: Type.Boolean(),
  status: Type.Integer(),
  code: Type.Union([Type.String(), Type.Null()]),
});

const settings = join(import.meta.dir, "schemathesis.toml");
const hooks = join(import.meta.dir, "hooks.py");
// With whatever else a document has.
const open = { additionalProperties: Type.Unknown() };
const Operation = Type.Object({ security: Type.Array(Type.Record(Type.String(), Type.Unknown())) }, open);
const Paths = Type.Object({ paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)) }, open);

/** The ways to be signed in that each identity has. */
const waysOf: Readonly<Record<Identity, readonly string[]>> = {
  anonymous: [],
  session: ["session", "refresh"],
  bearer: ["bearer"],
  service: ["service"],
};

/** The document with what an identity may do and nothing else: that others are refused is another test's. */
function documentFor(identity: Identity, document: Static<typeof Paths>): Static<typeof Paths> {
  const mayDo = ({ security }: Static<typeof Operation>): boolean =>
    identity === "anonymous"
      ? security.length === 0 || security.some((way) => Object.keys(way).length === 0)
      : security.some((way) => Object.keys(way).some((scheme) => waysOf[identity].includes(scheme)));
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const done = Object.entries(methods).filter(([, operation]) => mayDo(operation));
    return done.length === 0 ? [] : [[path, Object.fromEntries(done)] as const];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Tries the API with what its OpenAPI document allows and forbids, by schemathesis: the same cases in every run. */
export async function fuzz({ as = identities, each, limitMs }: FuzzOptions): Promise<Fuzzed[]> {
  const python = await pythonPackages();
  // With keys, the provider and personal tokens, every route of the document is mounted.
  const env = {
    ...unlimited,
    ...providerOn,
    SECURITY_CONTACT: "mailto:security@example.test",
    AUTH_WEBAUTHN_ORIGINS: "https://shop.example.org",
  };
  const { target, stop } = await startStage({ ownProcess: true, env });
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-fuzz-"));
  try {
    const answer = await (await fetch(`${target.url}/openapi/json`)).json();
    const whole = Value.Parse(Paths, answer);
    const scopes = ["--scope", "introspect,users:read,users:write,users:roles,organizations:read,organizations:write"];
    const created = await runGatehouse(["service:create", "fuzz", ...scopes], { cwd: target.folder, env: target.env });
    const secret = /gh_[\w-]+/.exec(created.stdout)?.[0] ?? "";
    const fuzzed: Fuzzed[] = [];
    for (const identity of as) {
      await Bun.write(join(folder, "openapi.json"), JSON.stringify(documentFor(identity, whole)));
      const tally = join(folder, `${identity}.tally`);
      const args = ["--config-file", settings, "run", "openapi.json", "--url", target.url]
        .concat(["--phases", "examples,fuzzing", "--max-examples", String(each), "--checks", checks.join(",")])
        .concat(["--continue-on-failure", "--max-redirects", "0", "--request-timeout", "10", "--warnings", "off"]);
      const env = {
        GATEHOUSE_URL: target.url,
        GATEHOUSE_IDENTITY: identity,
        GATEHOUSE_SERVICE_SECRET: secret,
        GATEHOUSE_TALLY: tally,
        SCHEMATHESIS_HOOKS: hooks,
        PYTHONPATH: import.meta.dir,
        NO_COLOR: "1",
        PYTHONDONTWRITEBYTECODE: "1",
      };
      const { code, stdout, stderr } = await python.run("schemathesis", args, { cwd: folder, env, limitMs });
      const generated = Number(/(\d+) generated/.exec(stdout)?.[1] ?? 0);
      const lines = (await Bun.file(tally).exists()) ? (await Bun.file(tally).text()).trim().split("\n") : [];
      const tried = lines.map((line) => Value.Parse(Tried, JSON.parse(line)));
      fuzzed.push({ identity, cases: generated, found: code === 0 ? "" : `${code}\n${stdout}${stderr}`, tried });
    }
    return fuzzed;
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const at = Bun.argv.indexOf("--each");
  const each = at === -1 ? 50 : Number(Bun.argv[at + 1]);
  const fuzzed = await fuzz({ each, limitMs: 30 * 60_000 });
  for (const { identity, cases, found } of fuzzed)
    process.stdout.write(`${identity}: ${cases} cases${found && `\n${found}`}\n`);
  process.exit(fuzzed.every(({ found }) => found === "") ? 0 : 1);
}
