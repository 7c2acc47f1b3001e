import { describe, expect, test } from "bun:test";
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { idpEnvironment, idpKit, issuer, redirectUri, verifier } from "./idp.fixture.ts";

const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const shop = await kit.register("Shop");
const browser = await kit.register("Board", "--type", "browser");

describe("DPoP", () => {
  const proofWith = async (claims: Readonly<Record<string, unknown>>, typ = "dpop+jwt") => {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    const sign = (more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
      new SignJWT({ jti: crypto.randomUUID(), htm: "POST", htu: `${issuer}/oauth2/token`, ...claims, ...more })
        .setProtectedHeader({ alg: "ES256", typ, jwk })
        .setIssuedAt()
        .sign(privateKey);
    return { sign, jkt: await calculateJwkThumbprint(jwk) };
  };
  const s256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest().toString("base64url");

  test("O-11 binds tokens to the key of the proof, and each use takes another proof by it", async () => {
    const { client } = await people.register("ada");
    const key = await proofWith({});
    const code = kit.told(await kit.authorize(client, browser)).get("code");
    const swapped = await kit.call(
      "/oauth2/token",
      {
        grant_type: "authorization_code",
        code: code ?? "",
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: browser.client_id,
      },
      { dpop: await key.sign() },
    );
    expect(swapped.at("token_type")).toBe("DPoP");
    const access = swapped.textAt("access_token");
    expect(decodeJwt(access)["cnf"]).toEqual({ jkt: key.jkt });
    const info = async (scheme: string, proof?: string) =>
      (
        await createClient(target.url).get("/oauth2/userinfo", {
          headers: { authorization: `${scheme} ${access}`, ...(proof !== undefined && { dpop: proof }) },
        })
      ).status;
    const about = { htm: "GET", htu: `${issuer}/oauth2/userinfo`, ath: s256(access) };
    const good = await key.sign(about);
    expect(await info("DPoP", good)).toBe(200);
    expect(await info("DPoP", good)).toBe(400);
    expect(await info("Bearer")).toBe(401);
    expect(await info("DPoP")).toBe(401);
    expect(await info("DPoP", await key.sign({ ...about, ath: s256("another") }))).toBe(400);
    const other = await proofWith(about);
    expect(await info("DPoP", await other.sign())).toBe(401);
    const refresh = (proof: string | undefined) =>
      kit.call(
        "/oauth2/token",
        { grant_type: "refresh_token", refresh_token: swapped.textAt("refresh_token"), client_id: browser.client_id },
        proof === undefined ? {} : { dpop: proof },
      );
    expect((await refresh(undefined)).at("error")).toBe("invalid_grant");
    expect((await refresh(await (await proofWith({})).sign())).at("error")).toBe("invalid_grant");
    expect((await refresh(await key.sign())).at("token_type")).toBe("DPoP");
    const verify = await createClient(target.url).get("/api/v1/auth/verify", {
      headers: { authorization: `Bearer ${access}` },
    });
    expect(verify.status).toBe(401);
  });

  test.each([
    ["for another method", { htm: "GET" }, "dpop+jwt"],
    ["for another address", { htu: `${issuer}/oauth2/par` }, "dpop+jwt"],
    ["that is old", { iat: 1 }, "dpop+jwt"],
    ["of another type", {}, "JWT"],
  ])("O-11 a proof %s is refused", async (_what, claims, typ) => {
    const key = await proofWith({}, typ);
    const isOld = "iat" in claims;
    const proof = isOld ? await oldProof() : await key.sign(claims);
    const answer = await kit.call(
      "/oauth2/token",
      { grant_type: "refresh_token", refresh_token: "x" },
      { authorization: kit.basic(shop), dpop: proof },
    );
    expect(answer.at("error")).toBe("invalid_dpop_proof");
  });

  async function oldProof(): Promise<string> {
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    return new SignJWT({
      jti: "old",
      htm: "POST",
      htu: `${issuer}/oauth2/token`,
      iat: Math.floor(Date.now() / 1000) - 120,
    })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: await exportJWK(publicKey) })
      .sign(privateKey);
  }
});
