import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Clock, Millis } from "../../core/clock.ts";
import { isId, newId } from "../../core/ids.ts";
import type { Level, Proof, WayIn } from "../factor/level.ts";
import type { FactorName } from "../factor/method.ts";
import type { JsonObject } from "../metadata/merge.patch.ts";
import type { UserRow } from "../user/user.repository.ts";
import { furtherClaims, type ClaimedUser } from "./claims/claims.ts";
import type { TokenKeys } from "./token.keys.ts";

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
  /** What a hook has given besides, where one may. */
  readonly more?: JsonObject;
  readonly issuedAt: Millis;
  readonly expiresAt: Millis;
}

/** The account that a token is signed for. One that the same commit makes is given whole: its row is not there yet. */
export type TokenUser = Pick<UserRow, "id" | "username"> & Partial<Omit<ClaimedUser, "appMetadata">>;
export type TokenSession = {
  readonly id: string;
  readonly expiresAt: Millis;
  /** The member of staff who acts in the user's name. */
  readonly impersonatorId?: string | null | undefined;
} & Proof;

interface AccessTokenOptions {
  readonly keys: TokenKeys;
  readonly issuer: string;
  readonly audience: string;
  readonly ttlMs: number;
  /** Returns the claims that a token has besides ours. Default: none, and nothing is read. */
  readonly claimsOf?: ((user: TokenUser, session: TokenSession) => Promise<JsonObject>) | undefined;
  /** Whether tokens may have claims of a hook, which are remembered with the token. */
  readonly keepsMore?: boolean;
  readonly clock: Clock;
}

/** The claims that this service writes and reads. The library accepts more forms, such as several audiences. */
const Claims = Type.Object({
  aud: Type.String(),
  sub: Type.String(),
  sid: Type.String(),
  iat: Type.Integer(),
  exp: Type.Integer(),
});

const ofWays: Readonly<Record<WayIn, readonly string[]>> = {
  password: ["pwd"],
  provider: ["fed"],
  email: ["email"],
  passkey: ["swk", "user"],
  impersonation: ["impersonation"],
};
const ofFactors: Readonly<Record<FactorName, string>> = { totp: "otp", recovery_code: "otp", passkey: "swk" };

/**
 * Returns the claim `amr` of an access token (RFC 8176). `fed` for a provider, `email` for a mailed code and `impersonation` for staff in
 * somebody's name are not registered: no registered value means them.
 */
const methodReferences = ({ cameBy, factor }: Level): string[] => [
  ...new Set([...(cameBy === null ? [] : ofWays[cameBy]), ...(factor === null ? [] : [ofFactors[factor], "mfa"])]),
];

/**
 * Returns the level by the words of NIST SP 800-63B: `aal2` for a second factor, or for a passkey, which is two at once. A provider's word
 * is one factor, whatever it has asked for itself.
 */
export const assuranceOf = ({ cameBy, factor }: Level): "aal1" | "aal2" =>
  factor !== null || cameBy === "passkey" ? "aal2" : "aal1";

/**
 * Returns the claims of a token, and of the answers about it, on how its user was proven, how strongly, and when (RFC 9068 §2.2.1). Where staff
 * act in somebody's name, that person was not proven at all.
 */
export const levelClaims = (session: Proof) => ({
  ...(session.cameBy !== null && { amr: methodReferences(session) }),
  ...(session.cameBy !== "impersonation" && {
    acr: assuranceOf(session),
    auth_time: Math.floor(session.provedAt / 1000),
  }),
});

/** Returns the claim `act` of a token: who acts in the name of its user (RFC 8693 §4.1). */
export function actorClaim({ cameBy, impersonatorId = null }: Pick<TokenSession, "cameBy" | "impersonatorId">) {
  // A token that says nothing of it would be taken for the person's own.
  if (cameBy === "impersonation" && impersonatorId === null)
    throw new Error("it is not known who acts in somebody's name");
  return impersonatorId === null ? {} : { act: { sub: impersonatorId } };
}

/** Room for a KiB of claims besides the longest name, in a cookie of 4 KiB. */
const maxTokenLength = 3584;
/**
 * Base64url in its one canonical spelling (RFC 4648 §3.5): the last character of a signature leaves bits unused, two of 32 bytes and four
 * of 64. The JWT library's decoder skips them as it skips padding, so without this check several spellings of one signature would verify.
 */
const canonicalForm = /^[\w-]+\.[\w-]+\.(?:[\w-]{42}[AEIMQUYcgkosw048]|[\w-]{85}[AQgw])$/;
/** How many characters at the end of a token are its signature alone. */
const signatureLength = 43;
const maxRemembered = 20_000;
const allowedSkewSeconds = 60;

/**
 * Access tokens: JWT signed with HS256 (RFC 7519), or with a private key by the profile of RFC 9068. A signature once verified
 * is remembered until the token expires; the session row is not.
 */
export function createAccessTokens(options: AccessTokenOptions) {
  const { keys, issuer, audience, ttlMs, claimsOf, keepsMore = false, clock } = options;
  /** Keyed by signature: hashing a whole token for the lookup costs more than comparing it once. */
  const remembered = new Map<string, { readonly token: string; readonly claims: AccessClaims }>();

  async function verifySignature(token: string): Promise<AccessClaims | undefined> {
    const now = clock.now();
    // The header is looked up as it is written, and never parsed: a header that this service does not write itself is refused, whatever
    // algorithm, key or extension it names.
    const [header = ""] = token.split(".", 1);
    for (const { verify, algorithm } of keys.verifiers.get(header) ?? []) {
      const payload = await verify(token, {
        algorithms: [algorithm],
        issuer,
        audience,
        currentDate: new Date(now),
      });
      if (payload === false) continue;
      if (!Value.Check(Claims, payload) || payload.aud !== audience || !isId(payload.sid)) return undefined;
      const { sub, sid, exp, iat } = payload;
      if (iat > now / 1000 + allowedSkewSeconds) return undefined;
      const claims = { userId: sub, sessionId: sid, issuedAt: iat * 1000, expiresAt: exp * 1000 };
      return keepsMore ? { ...claims, more: furtherClaims(payload) } : claims;
    }
    return undefined;
  }

  function remember(token: string, claims: AccessClaims): void {
    if (remembered.size >= maxRemembered) {
      const oldest = remembered.keys().next();
      if (!oldest.done) remembered.delete(oldest.value);
    }
    remembered.set(token.slice(-signatureLength), { token, claims });
  }

  async function verify(token: string): Promise<AccessClaims | undefined> {
    if (token.length > maxTokenLength || !canonicalForm.test(token)) return undefined;
    const claims = await verifySignature(token);
    if (claims !== undefined) remember(token, claims);
    return claims;
  }

  return {
    /** Returns claims that this process has verified before and that have not expired; spares the hot path a promise. */
    recall(token: string): AccessClaims | undefined {
      const signature = token.slice(-signatureLength);
      const known = remembered.get(signature);
      if (known === undefined || known.token !== token) return undefined;
      if (known.claims.expiresAt > clock.now()) return known.claims;
      remembered.delete(signature);
      return undefined;
    },

    verify,

    /** Makes the claims of a token that is signed later, so that a hook refuses it before anything is changed. */
    claimsFor: async (user: TokenUser, session: TokenSession): Promise<JsonObject> =>
      claimsOf === undefined ? {} : claimsOf(user, session),

    /** Signs a token, which expires with the session at the latest. Throws `denied_by_hook` where its claims are made here. */
    async sign(user: TokenUser, session: TokenSession, made?: JsonObject): Promise<string> {
      const claims = made ?? (claimsOf === undefined ? {} : await claimsOf(user, session));
      const expiresAt = Math.min(clock.now() + ttlMs, session.expiresAt);
      const token = await keys.sign({
        ...claims,
        iss: issuer,
        aud: audience,
        // RFC 9068 §2.2 asks for both claims. The client is the app itself: nobody else is given tokens.
        ...(keys.isProfiled && { client_id: audience, jti: newId() }),
        sub: user.id,
        sid: session.id,
        usr: user.username,
        ...levelClaims(session),
        ...actorClaim(session),
        exp: Math.floor(expiresAt / 1000),
      });
      // What a hook has given is shown by `verify` and introspection from now on.
      if (keepsMore) await verify(token);
      return token;
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;
