import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { join } from "node:path";
import { serviceKit } from "../contract/backend/service.fixture.ts";
import { startGate } from "../contract/hook/hook.fixture.ts";
import { auth, calm, expectRefusal, secretsOf, type Person } from "../support/auth.ts";
import { createClient, type Answer } from "../support/client.ts";
import { testEnvironment } from "../support/environment.ts";
import { sharedFolder } from "../support/folder.ts";
import { postgresMissing, startPostgres } from "../support/postgres.ts";
import { runGatehouse } from "../support/process.ts";
import { startReceiver, webhookSecret } from "../support/receiver.ts";
import { signingPair } from "../support/signing.pair.ts";
import { stage } from "../support/stage.ts";
import { startTarget } from "../support/target.ts";

// A small product, sold by the month: a browser app, an API that reads tokens by itself, a backend for billing that sets plans, a hook that
// keeps a rival out, and a ledger that is told by a webhook. It speaks to the service by nothing but HTTP.
const gate = startGate("rivals", { POINTS: "before.register" });
const secret = webhookSecret();
const ledger = startReceiver({ secret });
afterAll(() => ledger.stop());
const settings = {
  AUTH_TOKEN_CLAIMS: "external_id,app_metadata.plan",
  APP_TERMS_URL: "https://example.test/terms",
  APP_TERMS_VERSION: "2026-11",
  API_JWT_PRIVATE_KEY: signingPair("EdDSA").privatePem,
};
const { target, people, browser } = await stage({
  env: {
    ...settings,
    ...gate.env,
    WEBHOOK_LEDGER_URL: ledger.url,
    WEBHOOK_LEDGER_SECRET: secret,
    WEBHOOK_LEDGER_TOPICS: "auth.registered,auth.user-updated",
    WEBHOOK_LEDGER_EXPAND: "user",
  },
});
const kit = serviceKit(target);
const billing = await kit.backend("billing", "users:read,users:write");
const introspector = await kit.create("reports");
const folder = sharedFolder();
const accepting = { accepted_terms: "2026-11" };
const customer = "cus_42";

/** Reads a token as the product's API does: by the published keys, without asking anybody. */
async function readToken(url: string, token: string) {
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`));
  return (await jwtVerify(token, keys)).payload;
}
const claimsAt = (answer: Answer): unknown =>
  JSON.parse(Buffer.from(answer.headers.get("x-auth-claims") ?? "", "base64url").toString());
const told = (type: string) => ledger.received().filter((message) => message.type === type);

describe("a product on accounts of this service", () => {
  let ada: Person;
  beforeAll(async () => {
    ada = await people.register("ada", accepting);
  });

  test("keeps a rival out by a program of its own, and lets everybody else in", async () => {
    gate.answer(({ data }) =>
      Response.json(
        String(data["email"]).endsWith("@rival.test")
          ? { decision: "deny", message: "This is not for the competition." }
          : { decision: "allow" },
      ),
    );
    const rival = { email: "spy@rival.test", password: "a long walk by the sea", ...accepting };
    expectRefusal(
      await browser().post(auth("register"), rival),
      403,
      "This is not for the competition.",
      "denied_by_hook",
    );
    expect((await people.register("grace", accepting)).id).toBeString();
  });

  test("sets a plan from its billing, and finds the account again by the id that billing knows", async () => {
    const first = await billing.patch(ada.id, { external_id: customer, app_metadata: { plan: "free" } });
    expect(first.status).toBe(200);
    const found = await billing.get(`?external_id=${customer}`);
    expect(found.at("users.length")).toBe(1);
    const paid = { app_metadata: { plan: "pro", seats: 5 }, private_metadata: { risk: 0.2 } };
    const etag = first.headers.get("etag") ?? "";
    expect((await billing.patch(found.textAt("users.0.id"), paid, { "if-match": etag })).status).toBe(200);
    expect((await billing.patch(ada.id, paid, { "if-match": etag })).at("code")).toBe("precondition_failed");
    // A misspelt filter finds nobody by mistake.
    expect((await billing.get(`?externalid=${customer}`)).status).toBe(400);
  });

  test("has the plan in the next token, at its proxy at once, and by introspection", async () => {
    const claims = { external_id: customer, app_metadata: { plan: "pro" } };
    expect(claimsAt(await ada.client.get(auth("verify")))).toEqual(claims);
    await ada.client.post(auth("refresh"));
    const { access } = secretsOf(ada.client);
    expect(await readToken(target.url, access)).toMatchObject({ sub: ada.id, ...claims });
    expect((await kit.introspect(introspector, access)).json).toMatchObject({ active: true, ...claims });
  });

  test("shows it to its person, who keeps a theme of their own and writes no plan", async () => {
    const me = await ada.client.get(auth("me"));
    expect(me.at("user.app_metadata")).toEqual({ plan: "pro", seats: 5 });
    expect(me.text).not.toContain("risk");
    await ada.client.post(auth("profile"), { user_metadata: { theme: "dark" }, app_metadata: { plan: "enterprise" } });
    expect((await ada.client.get(auth("me"))).at("user")).toMatchObject({
      app_metadata: { plan: "pro", seats: 5 },
      user_metadata: { theme: "dark" },
    });
  });

  test("is told of it by a webhook, with the account and without what is private", async () => {
    await ledger.until("the second change", () => told("auth.user-updated").length >= 2);
    const [, upgraded] = told("auth.user-updated");
    expect(upgraded?.data).toMatchObject({
      user_id: ada.id,
      changed: ["app_metadata", "private_metadata"],
      user: { email: ada.email, external_id: customer, app_metadata: { plan: "pro" }, terms_version: "2026-11" },
    });
    for (const { body } of ledger.received()) expect(body).not.toContain("risk");
  });

  const second = { ...testEnvironment(folder), ...calm, ...settings, DB_DATABASE: join(folder, "second.db") };
  const run = (args: readonly string[], env: Record<string, string>) => runGatehouse(args, { cwd: folder, env });
  const exported = async (env: Record<string, string>) => (await run(["user:export", "--with-hashes"], env)).stdout;

  test("loses nothing of it in an export and import", async () => {
    const lines = await exported(target.env);
    for (const kept of ['"plan":"pro"', '"risk":0.2', '"theme":"dark"', '"terms_version":"2026-11"', customer])
      expect(lines).toContain(kept);
    await Bun.write(join(folder, "users.jsonl"), lines);
    expect((await run(["migrate", "--create"], second)).code).toBe(0);
    expect(await run(["user:import", "users.jsonl"], second)).toMatchObject({ code: 0 });
    expect(await exported(second)).toBe(lines);
  }, 60_000);

  test.skipIf(postgresMissing !== undefined)(
    `nor in a move to PostgreSQL, where its people go on${postgresMissing === undefined ? "" : ` (${postgresMissing})`}`,
    async () => {
      const server = await startPostgres();
      const { url } = await server.createDatabase();
      const third = { ...second, DB_DRIVER: "postgres", DB_DATABASE: "", DB_URL: url };
      expect((await run(["migrate"], third)).code).toBe(0);
      const copying = ["db:copy", "--from", `sqlite:${second.DB_DATABASE}`, "--to", "postgres"];
      expect(await run(copying, third)).toMatchObject({ code: 0 });
      expect(await exported(third)).toBe(await exported(second));

      const moved = await startTarget({ env: third, migrate: false });
      const client = createClient(moved.url);
      const login = await client.post(auth("login"), { login: ada.email, password: ada.password });
      expect([login.status, (await client.get(auth("me"))).at("terms_due")]).toEqual([200, null]);
      const { access } = secretsOf(client);
      expect(await readToken(moved.url, access)).toMatchObject({ sub: ada.id, app_metadata: { plan: "pro" } });
      await moved.stop();
      await server.stop();
    },
    120_000,
  );
});
