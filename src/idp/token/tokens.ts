import type { JWTPayload } from "jose";
import type { DelegatedRow, ProviderAuth } from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { scopesOf, type Client } from "../client/client.ts";
import type { Keys } from "../keys/keys.ts";
import { idTokenClaims } from "./claims.ts";
import { readDelegation, type Delegation } from "./delegation.ts";

interface TokenOptions {
  readonly keys: Keys;
  readonly issuer: string;
  readonly ttlMs: number;
  /** Returns the references of the methods by which a person was proven (RFC 8176). */
  readonly levelOf: ProviderAuth["levelOf"];
  /** Returns the claim that says who acts in the person's name, if it is not the person (RFC 8693 §4.1). */
  readonly actorOf: (row: Pick<DelegatedRow, "cameBy" | "impersonatorId">) => JWTPayload;
  /** Returns the claims that the operator has asked for in every token. Throws `denied_by_hook`. */
  readonly claimsFor: (row: DelegatedRow) => Promise<Readonly<Record<string, unknown>>>;
  readonly clock: Clock;
}

export type Tokens = ReturnType<typeof createTokens>;

/** What a client is answered with (RFC 6749 §5.1). */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: "Bearer" | "DPoP";
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

const leftHalf = (algorithm: string, token: string): string =>
  new Bun.CryptoHasher(algorithm === "EdDSA" ? "sha512" : "sha256")
    .update(token)
    .digest()
    .subarray(0, algorithm === "EdDSA" ? 32 : 16)
    .toString("base64url");

/** Makes access tokens by the profile of RFC 9068, and ID tokens (OpenID Connect Core §2). */
export function createTokens({ keys, issuer, ttlMs, levelOf, actorOf, claimsFor, clock }: TokenOptions) {
  const seconds = (ms: number): number => Math.floor(ms / 1000);

  const boundTo = (jkt: string | undefined): JWTPayload => (jkt === undefined ? {} : { cnf: { jkt } });
  const audience = (resources: readonly string[], client: Client): string | string[] =>
    resources.length === 0 ? client.id : resources.length === 1 ? (resources[0] ?? client.id) : [...resources];

  const answerOf = (token: string, expiresAt: number, scope: string, jkt: string | undefined): TokenAnswer => ({
    access_token: token,
    token_type: jkt === undefined ? "Bearer" : "DPoP",
    expires_in: Math.max(0, seconds(expiresAt - clock.now())),
    scope,
  });

  async function idTokenOf(
    row: DelegatedRow,
    client: Client,
    delegation: Delegation,
    access: string,
    nonce: string | undefined,
  ): Promise<string> {
    const algorithm = client.settings.id_token_signed_response_alg;
    const now = clock.now();
    return keys.signAs(algorithm, "JWT", {
      ...idTokenClaims(row, delegation),
      iss: issuer,
      sub: row.userId,
      aud: client.id,
      sid: row.id,
      ...levelOf(row),
      ...actorOf(row),
      ...(nonce !== undefined && { nonce }),
      at_hash: leftHalf(algorithm, access),
      iat: seconds(now),
      exp: seconds(Math.min(now + ttlMs, row.expiresAt)),
    });
  }

  return {
    issuer,

    /** Makes the tokens of a person's session. A refresh may narrow scope and resources. */
    async ofSession(
      row: DelegatedRow,
      client: Client,
      {
        refresh,
        nonce,
        scope,
        resources,
        jkt,
      }: {
        readonly refresh: string;
        /** The thumbprint of the key that the request was proven by, to which the access token is bound. */
        readonly jkt?: string | undefined;
        readonly nonce?: string | undefined;
        readonly scope?: string | undefined;
        readonly resources?: readonly string[] | undefined;
      },
    ): Promise<TokenAnswer> {
      const granted = readDelegation(row.delegation);
      const delegation = {
        ...granted,
        scope: scope ?? granted.scope,
        resources: [...(resources ?? granted.resources)],
      };
      const now = clock.now();
      const expiresAt = Math.min(now + ttlMs, row.expiresAt);
      const access = await keys.signAccess({
        ...(await claimsFor(row)),
        iss: issuer,
        aud: audience(delegation.resources, client),
        sub: row.userId,
        client_id: client.id,
        scope: delegation.scope,
        sid: row.id,
        jti: newId(),
        ...levelOf(row),
        ...actorOf(row),
        ...(scopesOf(delegation.scope).includes("roles") && { roles: scopesOf(row.roles) }),
        ...boundTo(jkt),
        iat: seconds(now),
        exp: seconds(expiresAt),
      });
      const isOpenId = scopesOf(delegation.scope).includes("openid");
      return {
        ...answerOf(access, expiresAt, delegation.scope, jkt),
        refresh_token: refresh,
        ...(isOpenId && { id_token: await idTokenOf(row, client, delegation, access, nonce) }),
      };
    },

    /** Makes the access token of a client that acts for itself. */
    async ofClient(
      client: Client,
      {
        scope,
        resources,
        jkt,
      }: { readonly scope: string; readonly resources: readonly string[]; readonly jkt?: string | undefined },
    ): Promise<TokenAnswer> {
      const now = clock.now();
      const token = await keys.signAccess({
        iss: issuer,
        aud: audience(resources, client),
        sub: client.id,
        client_id: client.id,
        scope,
        jti: newId(),
        ...boundTo(jkt),
        iat: seconds(now),
        exp: seconds(now + ttlMs),
      });
      return answerOf(token, now + ttlMs, scope, jkt);
    },

    /** Returns what an access token of ours says; undefined for another text or an expired one. */
    verifyAccess: (token: string) => keys.verify(token, { typ: "at+jwt", issuer, now: clock.now() }),

    /** Returns what an ID token of ours says, even one that has expired: it says whom a request is about, and is no proof. */
    readHint: (token: string) => keys.verify(token, { typ: "JWT", issuer, now: clock.now(), isExpiryIgnored: true }),
  };
}
