import { describe, expect, test } from "bun:test";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { stage } from "../../support/stage.ts";
import { idpEnvironment, idpKit, issuer, type Registered } from "./idp.fixture.ts";

const { target } = await stage({ env: { ...idpEnvironment, AUTH_IP_RATE_LIMIT_ATTEMPTS: "3" } });
const kit = idpKit(target);
const shop = await kit.register("Shop");
const page = await kit.register("Page", "--type", "browser");

const send = (client: Registered, fields: Readonly<Record<string, string>> = {}, headers = {}) =>
  kit.call("/oauth2/par", kit.requestOf(client, fields), {
    ...(client.client_secret !== "" && { authorization: kit.basic(client) }),
    ...headers,
  });

describe("requests that are sent ahead", () => {
  test("O-107 one who begins many sign-ins at a program's server does not keep its other people out", async () => {
    for (let calls = 0; calls < 6; calls += 1) expect((await send(shop)).status).toBe(201);
    const stranger: unknown[] = [];
    for (let calls = 0; calls < 4; calls += 1) stranger.push((await send(page)).status);
    expect(stranger).toEqual([201, 201, 201, 429]);
    expect((await send(shop)).status).toBe(201);
  });

  test("O-107 name one key: that of the proof, if they name any", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    const proof = () =>
      new SignJWT({ jti: crypto.randomUUID(), htm: "POST", htu: `${issuer}/oauth2/par` })
        .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
        .setIssuedAt()
        .sign(privateKey);
    const own = await calculateJwkThumbprint(jwk);
    expect((await send(shop, { dpop_jkt: own }, { dpop: await proof() })).status).toBe(201);
    const other = await send(shop, { dpop_jkt: "x".repeat(43) }, { dpop: await proof() });
    expect({ status: other.status, error: other.at("error") }).toEqual({ status: 400, error: "invalid_dpop_proof" });
  });
});
