import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, resolveEnvironment, secretValues } from "../../src/config/index.ts";
import { definitions } from "../support/definitions.ts";

const secret = "wT4kq9Zr2Lm7Xc1Vb8Np3Yd6";
const deployed = {
  APP_ENV: "staging",
  APP_URL: "https://auth.example.test",
  API_JWT_SECRET_KEY: "Mz1Xk8Wq5Jr2Tn7Yb4Vc9Pd6Lf3Hg0Sa",
  APP_KEY: "Qe4Rt7Yu1Io9Pa5Sd8Fg2Hj6Kl3Zx0Cv",
  APP_DIAG_TOKEN: "Bn5Mq8We2Rt6Yu9Io3Pa7Sd1Fg4Hj0Kl",
};
const local = { ...deployed, APP_ENV: "local", APP_URL: "http://127.0.0.1:3000" };

const load = (env: Record<string, string>, base = deployed, app: "app" | "admin" = "app") =>
  loadConfig({ app: definitions[app], env: { ...base, ...env } });
function configOf(...given: Parameters<typeof load>) {
  const loaded = load(...given);
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config;
}
function problemsOf(...given: Parameters<typeof load>): readonly string[] {
  const loaded = load(...given);
  return loaded.ok ? [] : loaded.problems;
}
const named = (name: string, more: Record<string, string> = {}): Record<string, string> => ({
  [`AUTH_OIDC_${name}_ISSUER`]: "https://login.acme.example/realms/people",
  [`AUTH_OIDC_${name}_CLIENT_ID`]: "gatehouse",
  [`AUTH_OIDC_${name}_CLIENT_SECRET`]: secret,
  ...Object.fromEntries(Object.entries(more).map(([setting, value]) => [`AUTH_OIDC_${name}_${setting}`, value])),
});

test("an OpenID provider is named by its variables, in several words if need be", () => {
  const config = configOf({
    ...named("KEYCLOAK"),
    ...named("ACME_LOGIN", { SCOPES: "openid email groups", DISPLAY_NAME: "Acme & Sons" }),
  });
  const alike = {
    issuer: "https://login.acme.example/realms/people",
    clientId: "gatehouse",
    clientSecret: secret,
  };
  expect(config.oauth.openId).toEqual({
    "acme-login": { ...alike, scopes: ["openid", "email", "groups"], displayName: "Acme & Sons" },
    keycloak: { ...alike, scopes: ["openid", "email", "profile"], displayName: "Keycloak" },
  });
  expect(configOf(named("ACME_LOGIN")).oauth.openId["acme-login"]?.displayName).toBe("Acme Login");
  expect(configOf({}).oauth.openId).toEqual({});
  expect(secretValues(config)).toContain(secret);
});

test("an app may have values of its own", () => {
  const env = { ...named("KEYCLOAK"), ADMIN_AUTH_OIDC_KEYCLOAK_CLIENT_ID: "of the admin app" };
  expect(configOf(env).oauth.openId["keycloak"]?.clientId).toBe("gatehouse");
  expect(configOf(env, deployed, "admin").oauth.openId["keycloak"]?.clientId).toBe("of the admin app");
});

test("M-55 one that is half configured, or wrong in any way, stops the start, which names everything and repeats no secret", () => {
  const problems = problemsOf({
    AUTH_OIDC_LONELY_ISSUER: "https://login.acme.example",
    AUTH_OIDC_KEYED_CLIENT_SECRET: secret,
    AUTH_OIDC_SHOWN_DISPLAY_NAME: "Shown",
    ...named("TYPO", { ISSUR: "x" }),
    ...named("PLAIN", { ISSUER: "http://login.acme.example" }),
    ...named("WITHIN", { ISSUER: "https://10.0.0.7" }),
    ...named("HERE", { ISSUER: "https://localhost:8443" }),
    ...named("QUERY", { ISSUER: "https://login.acme.example/?x" }),
    ...named("SCOPELESS", { SCOPES: "email profile" }),
    ...named("SCOPED", { SCOPES: 'openid "x"' }),
    ...named("SPREAD", { DISPLAY_NAME: "two\nlines" }),
    ...named("SAMPLE", { CLIENT_SECRET: "<client secret>" }),
    ...named("GOOGLE"),
    ...named("LOCAL"),
    ...named("UNKNOWN"),
    AUTH_OIDC_lower_ISSUER: "https://login.acme.example",
    AUTH_OIDC_A__B_ISSUER: "https://login.acme.example",
  });
  const expected = [
    "AUTH_OIDC_LONELY_CLIENT_ID is required for the provider lonely",
    "AUTH_OIDC_LONELY_CLIENT_SECRET is required for the provider lonely",
    "AUTH_OIDC_KEYED_ISSUER is required",
    "AUTH_OIDC_KEYED_CLIENT_ID is required",
    "AUTH_OIDC_SHOWN_ISSUER is required",
    "AUTH_OIDC_SHOWN_CLIENT_ID is required",
    "AUTH_OIDC_SHOWN_CLIENT_SECRET is required",
    "AUTH_OIDC_TYPO_ISSUR is no setting of provider typo: these are ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPES, DISPLAY_NAME",
    "AUTH_OIDC_PLAIN_ISSUER must be https outside local and testing",
    "AUTH_OIDC_WITHIN_ISSUER must not be at a private address outside local and testing",
    "AUTH_OIDC_HERE_ISSUER must not be at a private address",
    "AUTH_OIDC_QUERY_ISSUER must be an http or https URL without credentials, query or fragment",
    "AUTH_OIDC_SCOPELESS_SCOPES must be scopes separated by spaces, openid among them",
    "AUTH_OIDC_SCOPED_SCOPES must be scopes",
    "AUTH_OIDC_SPREAD_DISPLAY_NAME must be a name of 1 to 60 characters",
    "AUTH_OIDC_SAMPLE_CLIENT_SECRET still holds its placeholder",
    "AUTH_OIDC_GOOGLE_ISSUER: the name GOOGLE is taken, choose another one",
    "AUTH_OIDC_LOCAL_ISSUER: the name LOCAL is taken",
    "AUTH_OIDC_UNKNOWN_ISSUER: the name UNKNOWN is taken",
    "AUTH_OIDC_lower_ISSUER must be written in upper case",
    "AUTH_OIDC_A__B_ISSUER: a name has at most",
  ];
  for (const text of expected)
    expect([text, ...problems.filter((problem) => problem.startsWith(text))]).toHaveLength(2);
  expect(problems).toHaveLength(expected.length);
  expect(problems.join()).not.toContain(secret);
});

test("there are at most 16", () => {
  const many = (count: number) =>
    Object.assign({}, ...Array.from({ length: count }, (_, index) => named(`SSO${index}`)));
  expect(problemsOf(many(16))).toEqual([]);
  expect(problemsOf(many(17))).toEqual(["AUTH_OIDC_<NAME>_ISSUER: at most 16 providers can be configured"]);
});

test("local takes http and a provider on the same machine; elsewhere sign-ins come back to https", () => {
  expect(problemsOf(named("DEX", { ISSUER: "http://127.0.0.1:5556/dex" }), local)).toEqual([]);
  expect(problemsOf(named("DEX"), { ...deployed, APP_URL: "http://auth.example.test" })).toContain(
    "APP_URL must be https for OAuth: providers send sign-ins back to it",
  );
});

test("its secret may stand in a file or a credential", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-oidc-"));
  const { AUTH_OIDC_KEYCLOAK_CLIENT_SECRET: _, ...first } = named("KEYCLOAK");
  const { AUTH_OIDC_ACME_LOGIN_CLIENT_SECRET: __, ...other } = named("ACME_LOGIN");
  await Bun.write(join(folder, "file"), `${secret}\n`);
  await Bun.write(join(folder, "AUTH_OIDC_ACME_LOGIN_CLIENT_SECRET"), "of a credential");
  const { env, files } = resolveEnvironment(
    {
      ...deployed,
      CREDENTIALS_DIRECTORY: folder,
      ...first,
      ...other,
      AUTH_OIDC_KEYCLOAK_CLIENT_SECRET_FILE: join(folder, "file"),
    },
    folder,
    { app: "app" },
  );
  await rm(folder, { recursive: true });
  const loaded = loadConfig({ app: definitions.app, env, files });
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  const { openId } = loaded.config.oauth;
  expect([openId["keycloak"]?.clientSecret, openId["acme-login"]?.clientSecret]).toEqual([secret, "of a credential"]);
});
