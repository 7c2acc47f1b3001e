import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, resolveEnvironment, secretValues } from "../../src/config/index.ts";
import { isTopic, topics } from "../../src/core/topics.ts";
import { definitions } from "../support/definitions.ts";
import { webhookSecret } from "../support/receiver.ts";

const secret = webhookSecret();
const deployed = {
  APP_ENV: "staging",
  APP_URL: "https://auth.example.test",
  API_JWT_SECRET_KEY: "Mz1Xk8Wq5Jr2Tn7Yb4Vc9Pd6Lf3Hg0Sa",
  APP_KEY: "Qe4Rt7Yu1Io9Pa5Sd8Fg2Hj6Kl3Zx0Cv",
  APP_DIAG_TOKEN: "Bn5Mq8We2Rt6Yu9Io3Pa7Sd1Fg4Hj0Kl",
};
const local = { ...deployed, APP_ENV: "local", APP_URL: "http://127.0.0.1:3000" };

const load = (env: Record<string, string>, base = deployed) =>
  loadConfig({ app: definitions.app, env: { ...base, ...env } });
function configOf(env: Record<string, string>, base = deployed) {
  const loaded = load(env, base);
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded;
}
function problemsOf(env: Record<string, string>, base = deployed): readonly string[] {
  const loaded = load(env, base);
  return loaded.ok ? [] : loaded.problems;
}
const named = (name: string, more: Record<string, string> = {}) => ({
  [`WEBHOOK_${name}_URL`]: "https://receiver.example.test/hook",
  [`WEBHOOK_${name}_SECRET`]: secret,
  ...Object.fromEntries(Object.entries(more).map(([setting, value]) => [`WEBHOOK_${name}_${setting}`, value])),
});

test("a webhook is named by its variables, in several words if need be, and gets all topics unless it says which", () => {
  const { config } = configOf({
    ...named("LEDGER"),
    ...named("BILLING_SYSTEM", { TOPICS: "auth.registered, auth.locked,auth.registered", ALLOW_PRIVATE: "true" }),
  });
  expect(config.webhooks).toEqual({
    ledger: {
      url: "https://receiver.example.test/hook",
      secrets: [secret],
      topics: Object.keys(topics).filter(isTopic),
      expand: "nothing",
      allowPrivate: false,
    },
    "billing-system": {
      url: "https://receiver.example.test/hook",
      secrets: [secret],
      topics: ["auth.registered", "auth.locked"],
      expand: "nothing",
      allowPrivate: true,
    },
  });
  expect(configOf({}).config.webhooks).toEqual({});
  expect(configOf(named("LEDGER"), local).config.webhooks["ledger"]?.allowPrivate).toBe(true);
  expect(secretValues(config)).toContain(secret);
});

test("an app has webhooks of its own, and may change those of both", () => {
  const env = { ...deployed, ...named("LEDGER"), ADMIN_WEBHOOK_LEDGER_TOPICS: "auth.locked", ...named("CRM") };
  const loaded = loadConfig({ app: definitions.admin, env });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  expect(loaded.config.webhooks["ledger"]?.topics).toEqual(["auth.locked"]);
  expect(Object.keys(loaded.config.webhooks)).toEqual(["crm", "ledger"]);
});

test("W-11 a webhook that is half configured, or wrong in any way, stops the start, which names everything and repeats no secret", () => {
  const short = `whsec_${Buffer.alloc(23, 7).toString("base64")}`;
  const long = `whsec_${Buffer.alloc(65, 7).toString("base64")}`;
  const problems = problemsOf({
    WEBHOOK_LEDGER_URL: "https://receiver.example.test/",
    WEBHOOK_CRM_SECRET: secret,
    WEBHOOK_MAILER_TOPICS: "auth.registered",
    ...named("TYPO", { TOPICS: "auth.registered,auth.registred", TOPIC: "auth.registered" }),
    ...named("SHORT", { SECRET: short }),
    ...named("LONG", { SECRET: `${secret} ${long}` }),
    ...named("PLAIN", { URL: "http://receiver.example.test/", SECRET: "not a secret" }),
    ...named("WITHIN", { URL: "https://10.0.0.7/" }),
    ...named("HERE", { URL: "https://localhost:8443/" }),
    ...named("META", { URL: "https://169.254.169.254/", ALLOW_PRIVATE: "true" }),
    ...named("GUESSED", { SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}` }),
    ...named("PASSWORD", { URL: "https://user:pass@receiver.example.test/" }),
    WEBHOOK_lower_URL: "https://receiver.example.test/",
    WEBHOOK_A__B_URL: "https://receiver.example.test/",
  });
  const expected = [
    "WEBHOOK_LEDGER_SECRET is required",
    "WEBHOOK_CRM_URL is required",
    "WEBHOOK_MAILER_URL is required",
    "WEBHOOK_MAILER_SECRET is required",
    "WEBHOOK_TYPO_TOPICS must be a list of topics: auth.registered, ",
    "WEBHOOK_TYPO_TOPIC is no setting of webhook typo: these are URL, SECRET, TOPICS, EXPAND, ALLOW_PRIVATE",
    "WEBHOOK_SHORT_SECRET must be whsec_ and 24 to 64 bytes",
    "WEBHOOK_LONG_SECRET must be whsec_ and 24 to 64 bytes",
    "WEBHOOK_PLAIN_URL must be https",
    "WEBHOOK_PLAIN_SECRET must be whsec_",
    "WEBHOOK_WITHIN_URL must not be at a private address outside local and testing, unless WEBHOOK_WITHIN_ALLOW_PRIVATE is true",
    "WEBHOOK_HERE_URL must not be at a private address",
    "WEBHOOK_META_URL must not be at an address that is link-local",
    "WEBHOOK_GUESSED_SECRET is easily guessed",
    "WEBHOOK_PASSWORD_URL must be an http or https URL without credentials",
    "WEBHOOK_lower_URL must be written in upper case",
    "WEBHOOK_A__B_URL: a name has at most",
  ];
  for (const text of expected) expect(problems.filter((problem) => problem.startsWith(text))).toHaveLength(1);
  expect(problems).toHaveLength(expected.length);
  expect(problems).toContainEqual(expect.stringMatching(/^WEBHOOK_TYPO_TOPICS .*; number \d is none of these$/));
  for (const hidden of [secret, short, long, "user:pass", "not a secret"])
    expect(problems.join()).not.toContain(hidden);
});

test("there are at most 16 webhooks", () => {
  const many = (count: number) =>
    Object.assign({}, ...Array.from({ length: count }, (_, index) => named(`HOOK${index}`)));
  expect(problemsOf(many(16))).toEqual([]);
  expect(problemsOf(many(17))).toEqual(["WEBHOOK_<NAME>_URL: at most 16 webhooks can be configured"]);
});

test("local takes http and a receiver on the same machine; elsewhere an allowed private address is warned of", () => {
  expect(problemsOf(named("LEDGER", { URL: "http://127.0.0.1:8080/hook?token=x" }), local)).toEqual([]);
  const { warnings } = configOf(named("LEDGER", { URL: "https://10.0.0.7/", ALLOW_PRIVATE: "true" }));
  expect(warnings.filter((warning) => warning.startsWith("WEBHOOK_LEDGER_ALLOW_PRIVATE=true"))).toHaveLength(1);
});

test("its secret may stand in a file or a credential, several of them one a line", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-webhook-"));
  const another = webhookSecret();
  await Bun.write(join(folder, "file"), `${secret}\n${another}\n`);
  await Bun.write(join(folder, "WEBHOOK_BILLING_SYSTEM_SECRET"), another);
  const url = "https://receiver.example.test/";
  const { env, files } = resolveEnvironment(
    {
      ...deployed,
      CREDENTIALS_DIRECTORY: folder,
      WEBHOOK_LEDGER_URL: url,
      WEBHOOK_LEDGER_SECRET_FILE: join(folder, "file"),
      WEBHOOK_BILLING_SYSTEM_URL: url,
    },
    folder,
    { app: "app" },
  );
  const loaded = loadConfig({ app: definitions.app, env, files });
  await rm(folder, { recursive: true });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  expect(loaded.config.webhooks["ledger"]?.secrets).toEqual([secret, another]);
  expect(loaded.config.webhooks["billing-system"]?.secrets).toEqual([another]);
});

test("the hooks of one point take 15 seconds together at most, for a person waits for each of them", () => {
  const hook = (name: string, timeout: string) => ({
    [`HOOK_${name}_URL`]: "https://receiver.example.test/hook",
    [`HOOK_${name}_SECRET`]: secret,
    [`HOOK_${name}_TIMEOUT`]: timeout,
  });
  expect(problemsOf({ ...hook("A", "10s"), ...hook("B", "5s") })).toEqual([]);
  expect(problemsOf({ ...hook("A", "10s"), ...hook("B", "6s"), HOOK_B_POINTS: "before.token" })).toEqual([
    "HOOK_<NAME>_TIMEOUT: the hooks of before.token may take 15 s together, and not 16 s",
  ]);
});
