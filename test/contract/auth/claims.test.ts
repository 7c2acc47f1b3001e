import { describe, expect, test } from "bun:test";
import { auth, secretsOf, type Person } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { bearer } from "../../support/native.ts";
import { runGatehouse } from "../../support/process.ts";
import { signingPair } from "../../support/signing.pair.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { serviceKit } from "../backend/service.fixture.ts";

const names =
  "roles,email,email_verified,name,external_id,app_metadata.plan,app_metadata.seats,app_metadata.big,app_metadata.no";
const { target, rows, people } = await stage({ env: { AUTH_TOKEN_CLAIMS: names } });
const kit = serviceKit(target);
const keeper = await kit.backend("keeper", "users:read,users:write,users:roles");
const asker = await kit.create("asker", "introspect");

/** The claims that every token has, with an HMAC key. */
const ours = ["iss", "aud", "sub", "sid", "usr", "amr", "acr", "auth_time", "exp", "iat"];
function payloadOf(token: string): Record<string, unknown> {
  const [, payload = ""] = token.split(".");
  return { ...Object(JSON.parse(Buffer.from(payload, "base64url").toString())) };
}
const claimsIn = (payload: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => !ours.includes(name)));
const inToken = (client: Client): Record<string, unknown> => claimsIn(payloadOf(secretsOf(client).access));
function inHeader(answer: Answer): unknown {
  const header = answer.headers.get("x-auth-claims");
  expect(header).toMatch(/^[\w-]+$/);
  return JSON.parse(Buffer.from(header ?? "", "base64url").toString());
}
const verified = (client: Client): Promise<Answer> => client.get(auth("verify"));
const introspected = async ({ client }: Person): Promise<Answer> => kit.introspect(asker, secretsOf(client).access);

describe("AUTH_TOKEN_CLAIMS", () => {
  test("H-20 a change of the account is in the next token, and at verify and in introspection at once", async () => {
    const ada = await people.register("ada", { display_name: "Ada" });
    const plain = { roles: [], email: ada.email, email_verified: false, name: "Ada" };
    expect(inToken(ada.client)).toEqual(plain);
    expect(inHeader(await verified(ada.client))).toEqual(plain);
    await keeper.patch(ada.id, {
      roles: ["editor"],
      external_id: `ext-${ada.id}`,
      email_verified: true,
      display_name: "Ada Lovelace",
      app_metadata: { plan: "pro", seats: 3, hidden: "no claim" },
      private_metadata: { plan: "private" },
    });
    const changed = {
      roles: ["editor"],
      email: ada.email,
      email_verified: true,
      name: "Ada Lovelace",
      external_id: `ext-${ada.id}`,
      app_metadata: { plan: "pro", seats: 3 },
    };
    expect(inToken(ada.client)).toEqual(plain);
    expect(inHeader(await verified(ada.client))).toEqual(changed);
    expect((await introspected(ada)).json).toMatchObject({ active: true, sub: ada.id, ...changed });
    expect((await ada.client.post(auth("refresh"))).status).toBe(200);
    expect(inToken(ada.client)).toEqual(changed);
    // A token that the refresh cookie brought, without a rotation.
    ada.client.deleteCookie("auth_access");
    await keeper.patch(ada.id, { app_metadata: { plan: "free", seats: null }, external_id: null, roles: [] });
    const answer = await verified(ada.client);
    const last = { ...changed, roles: [], app_metadata: { plan: "free" } };
    expect(inHeader(answer)).toEqual({ ...last, external_id: undefined });
    expect(inToken(ada.client)).toEqual({ ...last, external_id: undefined });
  });

  test("each way to a token has them: a login, a registration, a new password, a sign-in elsewhere", async () => {
    const ada = await people.register("ada");
    await keeper.patch(ada.id, { app_metadata: { plan: "pro" } });
    const plans = (client: Client): unknown => inToken(client)["app_metadata"];
    const browser = createClient(target.url);
    await browser.post(auth("login"), { login: ada.email, password: ada.password });
    expect(plans(browser)).toEqual({ plan: "pro" });
    const changed = { current_password: ada.password, new_password: "another walk by the sea" };
    expect((await browser.post(auth("change-password"), changed)).status).toBe(200);
    expect(plans(browser)).toEqual({ plan: "pro" });
  });

  test("H-21 all of them have a KiB at most: what has no room is left out, and the rest stays", async () => {
    const ada = await people.register("ada");
    const roomy = { plan: "pro", big: "x".repeat(900), no: "y".repeat(500), seats: 1 };
    await keeper.patch(ada.id, { app_metadata: roomy });
    await ada.client.post(auth("refresh"));
    const claims = inToken(ada.client);
    expect(Object.keys(Object(claims["app_metadata"])).toSorted()).toEqual(["no", "plan", "seats"]);
    expect(Buffer.byteLength(JSON.stringify(claims))).toBeLessThanOrEqual(1024);
    expect(inHeader(await verified(ada.client))).toEqual(claims);
    expect((await ada.client.get(auth("me"))).status).toBe(200);
    // To the byte: a member that just fits is there, and one byte more is not.
    await keeper.patch(ada.id, { app_metadata: { plan: null, seats: null, no: null, big: "" } });
    await ada.client.post(auth("refresh"));
    const left = 1024 - Buffer.byteLength(JSON.stringify(inToken(ada.client)));
    for (const [length, fits] of [
      [left, true],
      [left + 1, false],
    ] as const) {
      await keeper.patch(ada.id, { app_metadata: { big: "z".repeat(length) } });
      await ada.client.post(auth("refresh"));
      expect(Object.hasOwn(Object(inToken(ada.client)["app_metadata"] ?? {}), "big")).toBe(fits);
    }
  });

  test("H-21 the longest token is taken, and fits into a cookie", async () => {
    const ada = await people.register("ada");
    const long = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(60)}.test`;
    rows.run(
      "update users set username = ?, email = ?, display_name = ? where id = ?",
      long,
      long,
      "Ω".repeat(200),
      ada.id,
    );
    await keeper.patch(ada.id, { external_id: `${ada.id}-${"e".repeat(90)}`, app_metadata: { no: "y".repeat(300) } });
    const roles = Array.from({ length: 12 }, (_, at) => `role-of-somebody-${at}`);
    await keeper.patch(ada.id, { roles });
    await ada.client.post(auth("refresh"));
    const { access } = secretsOf(ada.client);
    expect(access.length).toBeLessThan(3_584);
    expect((await ada.client.get(auth("me"))).status).toBe(200);
    expect((await createClient(target.url).get(auth("me"), bearer({ access }))).status).toBe(200);
  });

  test("H-22 what a person chooses is a value of the header and never another header", async () => {
    const ada = await people.register("ada", { display_name: 'Ada "\u{1f600}" \\ Lovelace' });
    const answer = await verified(ada.client);
    expect(inHeader(answer)).toMatchObject({ name: 'Ada "\u{1f600}" \\ Lovelace' });
    const forged = await ada.client.get(auth("verify"), {
      headers: { "x-auth-claims": "Zm9yZ2Vk", "x-auth-roles": "admin" },
    });
    expect([inHeader(forged), forged.headers.get("x-auth-roles")]).toEqual([inHeader(answer), ""]);
  });
});

test("H-20 without the setting a token has what it had, and verify no further header", async () => {
  const bare = await startTarget({ shared: true });
  try {
    const client = createClient(bare.url);
    await client.post(auth("register"), { email: "ada@example.test", password: "a long walk by the sea" });
    expect(Object.keys(payloadOf(secretsOf(client).access)).toSorted()).toEqual(ours.toSorted());
    expect((await verified(client)).headers.has("x-auth-claims")).toBe(false);
  } finally {
    await bare.stop();
  }
});

test("a token that a private key signs has them as well", async () => {
  const env = { AUTH_TOKEN_CLAIMS: "email,roles", API_JWT_PRIVATE_KEY: signingPair("EdDSA").privatePem };
  const signing = await startTarget({ env, shared: true });
  try {
    const client = createClient(signing.url);
    const email = "ada@example.test";
    await client.post(auth("register"), { email, password: "a long walk by the sea" });
    expect(payloadOf(secretsOf(client).access)).toMatchObject({ email, roles: [], client_id: "app" });
    expect(inHeader(await verified(client))).toEqual({ email, roles: [] });
  } finally {
    await signing.stop();
  }
});

test("a setting that names no claim is refused at the start, by its name", async () => {
  for (const value of [
    "password_hash",
    "private_metadata.risk",
    "app_metadata",
    "app_metadata.",
    "app_metadata.a b",
    "sub",
    "org_id",
  ]) {
    const env = { ...target.env, AUTH_TOKEN_CLAIMS: value };
    const { code, stderr } = await runGatehouse(["env:check"], { cwd: target.folder, env });
    expect([code !== 0, stderr.includes("AUTH_TOKEN_CLAIMS")]).toEqual([true, true]);
  }
});
