import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { SignJWT, type JWTPayload } from "jose";
import { auth, expectRefusal } from "../../support/auth.ts";
import { untilLogged } from "../../support/log.ts";
import { approve, begin, deliver, routeOf, signInWith, startOf } from "../../support/oauth/journey.ts";
import { answerWith } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";

/** Discovery documents by the path of their issuers. A promise stands for a slow provider. */
const documents = new Map<string, unknown>();
const asked: string[] = [];
const others = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const path = new URL(request.url).pathname.replace("/.well-known/openid-configuration", "");
    asked.push(path);
    const document = await documents.get(path);
    if (document === "elsewhere") return Response.redirect(`${issuerOf("/honest")}/.well-known/openid-configuration`);
    return document === undefined ? new Response("", { status: 500 }) : Response.json(document);
  },
});
afterAll(() => others.stop(true));

const issuerOf = (path: string): string => `${others.url.origin}${path}`;
const named = (name: string): Record<string, string> => ({
  [`AUTH_OIDC_${name.toUpperCase()}_ISSUER`]: issuerOf(`/${name}`),
  [`AUTH_OIDC_${name.toUpperCase()}_CLIENT_ID`]: "gatehouse",
  [`AUTH_OIDC_${name.toUpperCase()}_CLIENT_SECRET`]: "a client secret of 32 bytes or more",
});
const world = await stageWorld(Object.assign({}, ...["broken", "foreign", "moving", "hidden", "slow"].map(named)));
const acme = world["acme-login"];
afterEach(() => {
  acme.tamper(undefined);
  acme.faults.clear();
});

const documentOf = (path: string) => ({
  issuer: issuerOf(path),
  authorization_endpoint: issuerOf(`${path}/authorize`),
  token_endpoint: issuerOf(`${path}/token`),
  jwks_uri: issuerOf(`${path}/keys`),
});
const count = (path: string): number => acme.requests.filter((each) => each === path).length;
const withoutAddress = (claims: JWTPayload): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !name.startsWith("email")));

describe("an ID token without an address", () => {
  test("lets the provider be asked for it, and one with an address does not", async () => {
    const before = count("/me");
    await signInWith(world.browser(), acme, world.newcomer("ada").account);
    expect(count("/me")).toBe(before);
    const grace = world.newcomer("grace", { name: "Grace Hopper" });
    acme.tamper(withoutAddress);
    const browser = world.browser();
    expect((await signInWith(browser, acme, grace.account)).status).toBe(303);
    expect(count("/me")).toBe(before + 1);
    const me = await browser.get(auth("me"));
    expect(me.at("user")).toMatchObject({ email: grace.email, username: grace.account, display_name: "Grace Hopper" });
    expect(me.at("user.email_verified_at")).toBeString();
  });

  test("F-07 an address that the provider does not vouch for there is not proven", async () => {
    const { account } = world.newcomer("grace", { emailVerified: false });
    acme.tamper(withoutAddress);
    const browser = world.browser();
    expect((await signInWith(browser, acme, account)).status).toBe(303);
    expect((await browser.get(auth("me"))).at("user.email_verified_at")).toBeNull();
  });

  test("M-54 what is told of another subject is refused, and makes nobody", async () => {
    const victim = world.newcomer("victim");
    await signInWith(world.browser(), acme, victim.account);
    const users = world.rows.count("users");
    acme.tamper(withoutAddress);
    for (const body of [{ sub: victim.subject, email: "thief@people.test", email_verified: true }, { sub: "x" }]) {
      acme.faults.set("/me", answerWith(200, JSON.stringify(body)));
      const reason = await world.failureOf(acme, async () => {
        const answer = await signInWith(world.browser(), acme, world.newcomer("thief").account);
        expectRefusal(answer, 502, "the provider's answer could not be used", "oauth_exchange_failed");
      });
      expect(reason).toBe("userinfo_subject");
    }
    expect(world.rows.count("users")).toBe(users);
  });

  test("a person whose address the provider does not know is told so", async () => {
    acme.tamper(withoutAddress);
    const { account, subject } = world.newcomer("ada");
    acme.faults.set("/me", answerWith(200, JSON.stringify({ sub: subject })));
    expectRefusal(
      await signInWith(world.browser(), acme, account),
      403,
      "the provider gave no usable email address",
      "oauth_email_missing",
    );
  });
});

test("M-56 an answer that does not name the provider is refused where the provider says that it always does", async () => {
  const browser = world.browser();
  const { account } = world.newcomer("ada");
  const callback = await approve(acme, await begin(browser, acme), account);
  expect(callback.params.get("iss")).toBe(acme.url);
  const asked = count("/token");
  callback.params.delete("iss");
  const answer = await deliver(browser, callback);
  expect([answer.status, answer.at("code")]).toEqual([401, "invalid_oauth_state"]);
  const other = await approve(acme, await begin(browser, acme), account);
  other.params.set("iss", `${acme.url}/`);
  expect((await deliver(browser, other)).at("code")).toBe("invalid_oauth_state");
  expect(count("/token")).toBe(asked);
});

test("a request that the provider refuses as wrong is told to the operator, in words of the standard alone", async () => {
  for (const error of ["invalid_scope", "access_denied", "a word of theirs"]) {
    const browser = world.browser();
    const state = (await begin(browser, acme)).searchParams.get("state") ?? "";
    const params = new URLSearchParams({ state, error, iss: acme.url });
    const answer = await deliver(browser, { provider: "acme-login", posted: false, params });
    expect(answer.at("code")).toBe("oauth_denied");
  }
  await untilLogged(world.target, '"reason":"invalid_scope"');
  const lines = world.target.logs().split("\n");
  expect(lines.filter((line) => line.includes("oauth provider refused the request"))).toHaveLength(1);
});

test("M-52 a token that the client secret signs is refused, though the secret is known to both", async () => {
  const secret = new TextEncoder().encode(acme.env["AUTH_OIDC_ACME_LOGIN_CLIENT_SECRET"]);
  acme.tamper((claims) => new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret));
  const reason = await world.failureOf(acme, () => signInWith(world.browser(), acme, world.newcomer("ada").account));
  expect(reason).toBe("id_token_signature");
});

describe("a provider that can't be used", () => {
  const states = (): number => world.rows.count("oauth_states");
  const reasonOf = (name: string) =>
    world.failureOf({ name }, async () => {
      const before = states();
      const answer = await world.browser().get(startOf(name));
      expectRefusal(answer, 502, "the provider's answer could not be used", "oauth_exchange_failed");
      expect(states()).toBe(before);
    });

  test("M-50 because it speaks for another one, moves or is private is not gone to", async () => {
    documents.set("/foreign", { ...documentOf("/foreign"), issuer: acme.url });
    documents.set("/moving", "elsewhere");
    documents.set("/hidden", { ...documentOf("/hidden"), token_endpoint: "gopher://127.0.0.1/token" });
    expect(await reasonOf("foreign")).toBe("metadata_issuer");
    expect(await reasonOf("moving")).toBe("provider_redirected");
    expect(await reasonOf("hidden")).toBe("metadata_endpoint");
    expect(asked).not.toContain("/honest");
  });

  test("M-53 is told to whoever wants to sign in with it, on a page, and to nobody else", async () => {
    expect(await reasonOf("broken")).toBe("provider_status");
    const page = await world.browser().get(startOf("broken"), { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("location")]).toEqual([303, "/login?oauth_error=oauth_exchange_failed"]);
    expect((await world.browser().get(startOf("acme-login"))).status).toBe(302);
    expect((await world.browser().get("/-/ready")).status).toBe(200);
    expect(asked.filter((path) => path === "/broken")).toHaveLength(1);
  });

  test("M-53 and one that is slow holds up nobody else", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    documents.set("/slow", promise);
    const waiting = [1, 2, 3].map(() => world.browser().get(startOf("slow")));
    expect((await signInWith(world.browser(), world.google, world.newcomer("ada").account)).status).toBe(303);
    expect((await world.browser().get("/-/ready")).status).toBe(200);
    resolve(documentOf("/slow"));
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(302);
    expect(asked.filter((path) => path === "/slow")).toHaveLength(1);
  });
});

test("M-57 what is left of a provider that is no longer configured can be unlinked, and counts as no way in", async () => {
  const grace = await world.people.register("grace");
  await signInWith(grace.client, acme, world.newcomer("hopper").account, { link: true });
  world.rows.run("update auth_identities set provider = 'retired' where user_id = ?", grace.id);
  const answer = await grace.client.get(auth("identities"));
  expect(answer.at("identities.0.provider")).toBe("retired");
  expect(answer.at("identities.0.label")).toBeNull();
  const unlink = auth(`identities/${answer.textAt("identities.0.id")}/unlink`);
  expect((await grace.client.post(unlink)).status).toBe(200);
  const { text } = await world.browser().get("/metrics");
  expect(text).toMatch(/auth_flows_total\{[^}]*flow="identity_unlink",status="ok",reason="none",provider="unknown"/);
  expect(text).not.toContain('"retired"');
  expect((await world.browser().get(routeOf("retired", "start"))).status).toBe(404);
});
