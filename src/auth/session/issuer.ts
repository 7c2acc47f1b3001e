import type { Millis } from "../../core/clock.ts";
import type { Level } from "../factor/level.ts";
import type { AccessTokens } from "./access.token.ts";
import type { RefreshTokens } from "./refresh.token.ts";

interface IssuerOptions {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
}

/** Makes the two tokens of a session. They are good once the row that holds the secret's hash is committed. */
export const createIssuer = ({ accessTokens, refreshTokens }: IssuerOptions) => ({
  async issue(
    session: { readonly id: string; readonly expiresAt: Millis; readonly remembered: boolean } & Level,
    user: { readonly id: string; readonly username: string },
    generation: number,
    secret: string,
  ) {
    return {
      access: await accessTokens.sign(user, session),
      refresh: refreshTokens.format(session.id, generation, secret),
      remembered: session.remembered,
      expiresAt: session.expiresAt,
    };
  },
});

export type Issuer = ReturnType<typeof createIssuer>;
/** The tokens for the browser after a sign-in or a rotation. */
export type IssuedSession = Readonly<Awaited<ReturnType<Issuer["issue"]>>>;
