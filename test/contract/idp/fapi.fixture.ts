import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import type { Answer, Client } from "../../support/client.ts";
import { createClient } from "../../support/client.ts";
import type { Target } from "../../support/target.ts";
import { form, idpKit, issuer, redirectUri, verifier } from "./idp.fixture.ts";

/** Claims that a test gives a statement, or takes off it. */
export type Claims = { readonly [Name in keyof JWTPayload]?: JWTPayload[Name] | undefined };
export type Fields = Readonly<Record<string, string | undefined>>;

export const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;
const s256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest().toString("base64url");

/** A key of a program, by which it says who it is or that a request is its own. */
export async function keyOf(alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const jkt = await calculateJwkThumbprint(jwk);
  const sign = (header: object, claims: Claims): Promise<string> =>
    new SignJWT(Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ alg, ...header })
      .sign(privateKey);
  return {
    alg,
    jkt,
    published: { ...jwk, kid: jkt, use: "sig" },
    assert: (claims: Claims): Promise<string> => sign({ kid: jkt }, claims),
    /** Returns a proof for a request to a path of the service (RFC 9449). */
    prove: (path: string, claims: Claims = {}): Promise<string> =>
      sign(
        { typ: "dpop+jwt", jwk },
        { jti: crypto.randomUUID(), htm: "POST", htu: `${issuer}${path}`, iat: seconds(0), ...claims },
      ),
  };
}
export type Key = Awaited<ReturnType<typeof keyOf>>;

/** Registers programs that keep to FAPI 2.0 with a target, and plays them. They publish their keys at a server of the test's. */
export async function fapiKit(target: Target, jwksUri: string, own: Key) {
  const kit = idpKit(target);

  async function register(name: string, ...flags: string[]) {
    const kept = ["--fapi", "--auth", "private_key_jwt", "--jwks-uri", jwksUri, "--id-token-alg", "EdDSA"];
    const { client_id: id } = await kit.register(name, ...kept, ...flags);
    const dpop = await keyOf("ES256");

    const proven = async (claims: Claims = {}, key: Key = own): Promise<Fields> => ({
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await key.assert({
        iss: id,
        sub: id,
        aud: issuer,
        jti: crypto.randomUUID(),
        exp: seconds(60),
        ...claims,
      }),
    });

    /** Sends a request ahead. */
    const push = async (fields: Fields = {}, headers: Readonly<Record<string, string>> = {}, by?: Fields) =>
      kit.call(
        "/oauth2/par",
        { ...kit.requestOf({ client_id: id, client_secret: "" }, fields), ...(by ?? (await proven())) },
        headers,
      );

    /** Leads a browser to a request that was sent ahead. */
    const visit = (browser: Client, sent: Answer | string, more: Fields = {}): Promise<Answer> => {
      const uri = typeof sent === "string" ? sent : sent.textAt("request_uri");
      return browser.get(`/oauth2/authorize?${form({ client_id: id, request_uri: uri, ...more })}`);
    };

    const codeFor = async (browser: Client, fields: Fields = {}): Promise<string> =>
      kit.told(await visit(browser, await push(fields))).get("code") ?? "";

    /** Asks for tokens, with a proof of the program's key unless the test gives its own or none. */
    const ask = async (fields: Fields, proof?: string | null, by?: Fields): Promise<Answer> => {
      const shown = proof === undefined ? await dpop.prove("/oauth2/token") : proof;
      return kit.call(
        "/oauth2/token",
        { ...fields, ...(by ?? (await proven())) },
        shown === null ? {} : { dpop: shown },
      );
    };

    const askForItself = (proof?: string | null): Promise<Answer> => ask({ grant_type: "client_credentials" }, proof);

    const swap = (code: string, fields: Fields = {}, proof?: string | null, by?: Fields): Promise<Answer> =>
      ask(
        { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier, ...fields },
        proof,
        by,
      );

    const refresh = (token: string, proof?: string | null, by?: Fields): Promise<Answer> =>
      ask({ grant_type: "refresh_token", refresh_token: token }, proof, by);

    const userinfo = async (token: string, { scheme = "DPoP", claims = {}, key = dpop }: Showing = {}) =>
      createClient(target.url).get("/oauth2/userinfo", {
        headers: {
          authorization: `${scheme} ${token}`,
          dpop: await key.prove("/oauth2/userinfo", { htm: "GET", ath: s256(token), ...claims }),
        },
      });

    return { id, dpop, proven, push, visit, codeFor, swap, askForItself, refresh, userinfo };
  }

  return { ...kit, register };
}

interface Showing {
  readonly scheme?: string;
  readonly claims?: Claims;
  readonly key?: Key;
}

export const outcomeOf = ({ status, at }: Answer) => ({ status, error: at("error") });
