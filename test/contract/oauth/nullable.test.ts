import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { untilLogged } from "../../support/log.ts";
import { signInWith, startOf } from "../../support/oauth/journey.ts";
import { answerWith, openIdNames } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";

// Members that are there without a value, as providers write what they do not know of a person or do not do.
const empty = { address: null, name: null, picture: null, preferred_username: null, profile: null, zoneinfo: null };

/** A provider that tells its own addresses as `changes` has them. */
const changes = new Map<string, object>();
const documents = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch({ url }) {
    const name = new URL(url).pathname.split("/")[1] ?? "";
    const issuer = issuerOf(name);
    const addresses = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/k` };
    return Response.json({ issuer, ...addresses, ...changes.get(name) });
  },
});
afterAll(() => documents.stop(true));
const issuerOf = (name: string): string => `${documents.url.origin}/${name}`;
const settingsOf = (name: string): Record<string, string> => ({
  [`AUTH_OIDC_${name.toUpperCase()}_ISSUER`]: issuerOf(name),
  [`AUTH_OIDC_${name.toUpperCase()}_CLIENT_ID`]: "gatehouse",
  [`AUTH_OIDC_${name.toUpperCase()}_CLIENT_SECRET`]: "a client secret of 32 bytes or more",
});

const world = await stageWorld({ ...settingsOf("sparse"), ...settingsOf("halved") });
const acme = world["acme-login"];
afterEach(() => {
  for (const name of openIdNames) world[name].tamper(undefined);
  acme.faults.clear();
});

describe.each(openIdNames)("an ID token of %s", (name) => {
  test("with claims that are null is one without them", async () => {
    const { account, email } = world.newcomer("ada", { name: "Ada Lovelace" });
    world[name].tamper((claims) => ({ ...claims, ...empty, xms_edov: null, azp: null }));
    const browser = world.browser();
    expect((await signInWith(browser, world[name], account)).status).toBe(303);
    expect((await browser.get(auth("me"))).at("user")).toMatchObject({ email, avatar_url: null });
  });

  test("F-07 whose word for the address is null does not vouch for it", async () => {
    const { account } = world.newcomer("ada");
    world[name].tamper((claims) => ({ ...claims, email_verified: null, xms_edov: null }));
    const browser = world.browser();
    expect((await signInWith(browser, world[name], account)).status).toBe(303);
    expect((await browser.get(auth("me"))).at("user.email_verified_at")).toBeNull();
  });

  test.each([
    ["sub", "subject_missing"],
    ["nonce", "id_token_nonce"],
    ["aud", "id_token_audience"],
    ["iss", "id_token_issuer"],
    ["exp", "id_token_expired"],
  ])("F-05 whose %s is null is refused as one without it: %s", async (claim, reason) => {
    const { account } = world.newcomer("ada");
    world[name].tamper((claims) => ({ ...claims, [claim]: null }));
    const work = async () => expect((await signInWith(world.browser(), world[name], account)).status).toBe(502);
    expect(await world.failureOf(world[name], work)).toBe(reason);
  });
});

test("an ID token whose address is null lets the provider be asked for it, and nulls there are as good as nothing", async () => {
  const { account, email, subject } = world.newcomer("ada", { name: "Ada Lovelace" });
  acme.tamper((claims) => ({ ...claims, ...empty, email: null, email_verified: null }));
  acme.faults.set("/me", answerWith(200, JSON.stringify({ ...empty, sub: subject, email, email_verified: null })));
  const browser = world.browser();
  expect((await signInWith(browser, acme, account)).status).toBe(303);
  const { json } = await browser.get(auth("me"));
  expect(json).toMatchObject({ user: { email, email_verified_at: null, avatar_url: null } });
  acme.faults.set("/me", answerWith(200, JSON.stringify({ ...empty, sub: subject, email: null })));
  const answer = await signInWith(world.browser(), acme, account);
  // The person is known by now, with whatever address.
  expect(answer.status).toBe(303);
});

describe("a discovery document", () => {
  test("whose optional members are null is one without them", async () => {
    changes.set("sparse", {
      userinfo_endpoint: null,
      token_endpoint_auth_methods_supported: null,
      id_token_signing_alg_values_supported: null,
      authorization_response_iss_parameter_supported: null,
      registration_endpoint: null,
    });
    const answer = await world.browser().get(startOf("sparse"));
    expect([answer.status, answer.headers.get("location")?.split("?")[0]]).toEqual([302, `${issuerOf("sparse")}/a`]);
  });

  test("that lacks what a sign-in needs is refused, and the log names what it lacks", async () => {
    changes.set("halved", { token_endpoint: null });
    const work = async () => expect((await world.browser().get(startOf("halved"))).status).toBe(502);
    expect(await world.failureOf({ name: "halved" }, work)).toBe("metadata_invalid");
    await untilLogged(world.target, "metadata_invalid: token_endpoint is missing");
  });
});

test("a claim of the wrong kind is named in the log, and what it held is not", async () => {
  const { account } = world.newcomer("ada");
  acme.tamper((claims) => ({ ...claims, picture: { url: "https://people.test/ada.png" } }));
  expect(await world.failureOf(acme, () => signInWith(world.browser(), acme, account))).toBe("id_token_invalid");
  await untilLogged(world.target, "id_token_invalid: picture");
  expect(world.target.logs()).not.toContain("ada.png");
});
