import type { Millis } from "../../core/clock.ts";
import type { JsonObject } from "../metadata/merge.patch.ts";
import type { Proof } from "../factor/level.ts";
import type { AccessTokens, TokenUser } from "./access.token.ts";
import type { RefreshTokens } from "./refresh.token.ts";

interface IssuerOptions {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
}

/** Makes the two tokens of a session. They are good once the row that holds the secret's hash is committed. */
export const createIssuer = ({ accessTokens, refreshTokens }: IssuerOptions) => ({
  claimsFor: accessTokens.claimsFor,

  async issue(
    session: { readonly id: string; readonly expiresAt: Millis; readonly remembered: boolean } & Proof,
    user: TokenUser,
    generation: number,
    secret: string,
    claims?: JsonObject,
  ) {
    return {
      access: await accessTokens.sign(user, session, claims),
      refresh: refreshTokens.format(session.id, generation, secret),
      remembered: session.remembered,
      expiresAt: session.expiresAt,
    };
  },
});

export type Issuer = ReturnType<typeof createIssuer>;
/** The tokens for the browser after a sign-in or a rotation. */
export type IssuedSession = Readonly<Awaited<ReturnType<Issuer["issue"]>>>;
