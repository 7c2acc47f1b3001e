import { expect, test } from "bun:test";
import { decodeProtectedHeader } from "jose";
import { calm, createPeople, secretsOf } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { sharedFolder } from "../../support/folder.ts";
import { signingPair, type SigningPair } from "../../support/signing.pair.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { idpEnvironment, idpKit, type Registered } from "./idp.fixture.ts";

endTargetsAfterEach();

const folder = sharedFolder();
const keySet = ({ url }: Target): Promise<Answer> => createClient(url).get("/.well-known/jwks.json");
const kidsOf = async (target: Target): Promise<unknown[]> => {
  const keys = (await keySet(target)).at("keys");
  return Array.isArray(keys) ? keys.map(({ kid }: { kid: unknown }) => kid) : [];
};

test("O-33 locally two processes that need keys at the same time make them once, and sessions are signed as before", async () => {
  const env = { ...calm, APP_ENV: "local", DB_DATABASE: `${folder}/local.db`, LIGHTHOUSE_INSPECT_ENABLED: "false" };
  const one = await startTarget({ env, ownProcess: true });
  const other = await startTarget({ env, roles: ["http"], migrate: false, ownProcess: true });
  const asked = await Promise.all([one, other, one, other].map((target) => keySet(target)));
  const [first] = asked;
  for (const answer of asked) expect(answer.text).toBe(first?.text ?? "");
  expect(first?.json).toEqual({
    keys: [
      {
        kty: "EC",
        crv: "P-256",
        x: expect.any(String),
        y: expect.any(String),
        alg: "ES256",
        use: "sig",
        kid: expect.any(String),
      },
      { kty: "RSA", n: expect.any(String), e: "AQAB", alg: "RS256", use: "sig", kid: expect.any(String) },
    ],
  });
  expect(first?.headers.get("cache-control")).toBe("public, max-age=300");
  const { client } = await createPeople(one.url).register("ada");
  expect(decodeProtectedHeader(secretsOf(client).access)).toEqual({ alg: "HS256", typ: "JWT" });
  await Promise.all([one.stop(), other.stop()]);
  const again = await startTarget({ env, ownProcess: true });
  expect((await keySet(again)).text).toBe(first?.text ?? "");
  await again.stop();
});

test("O-31 both keys are changed while programs go on: no token and no hint is refused on the way", async () => {
  const [access, nextAccess] = [signingPair("EdDSA"), signingPair("ES256")];
  const [rsa, nextRsa] = [signingPair("RS256"), signingPair("RS256")];
  const settings = (signs: readonly [SigningPair, SigningPair], also: readonly [SigningPair, SigningPair]) => ({
    ...calm,
    ...idpEnvironment,
    DB_DATABASE: `${folder}/rotation.db`,
    API_JWT_PRIVATE_KEY: signs[0].privatePem,
    API_JWT_PREVIOUS_PUBLIC_KEYS: also[0].publicPem,
    IDP_RSA_PRIVATE_KEY: signs[1].privatePem,
    IDP_PREVIOUS_RSA_PUBLIC_KEYS: also[1].publicPem,
  });
  // The next keys are published first. Only then do they sign, and the earlier ones are published beside them.
  const before = await startTarget({ env: settings([access, rsa], [nextAccess, nextRsa]) });
  const after = await startTarget({ env: settings([nextAccess, nextRsa], [access, rsa]), migrate: false });
  expect(await kidsOf(before)).toEqual([access.kid, rsa.kid, nextAccess.kid, nextRsa.kid]);
  expect(await kidsOf(after)).toEqual([nextAccess.kid, nextRsa.kid, access.kid, rsa.kid]);
  const kit = idpKit(before);
  const shop: Registered = await kit.register("Shop");
  const ada = await createPeople(before.url).register("ada");
  const early = await kit.signIn(ada.client, shop);
  expect(decodeProtectedHeader(early.textAt("access_token")).kid).toBe(access.kid);
  expect(decodeProtectedHeader(early.textAt("id_token")).kid).toBe(rsa.kid);

  const later = idpKit(after);
  expect((await later.userinfo(early.textAt("access_token"))).json).toMatchObject({ sub: ada.id });
  const late = await later.refresh(shop, early.textAt("refresh_token"));
  expect(decodeProtectedHeader(late.textAt("access_token")).kid).toBe(nextAccess.kid);
  expect(decodeProtectedHeader(late.textAt("id_token")).kid).toBe(nextRsa.kid);
  expect((await kit.userinfo(late.textAt("access_token"))).json).toMatchObject({ sub: ada.id });

  // A hint that either key has signed says who is meant: another person's is refused without a question.
  const grace = await createPeople(before.url).register("grace");
  for (const hint of [early, late])
    for (const each of [kit, later]) {
      const answer = await each.authorize(grace.client, shop, {
        prompt: "none",
        id_token_hint: hint.textAt("id_token"),
      });
      expect(each.told(answer).get("error")).toBe("login_required");
    }
  await Promise.all([before.stop(), after.stop()]);
});
