import type { Config } from "../../config/index.ts";
import { minute, type Clock } from "../../core/clock.ts";
import type { Log } from "../../observe/index.ts";
import { hashOfPersonalToken } from "./personal.token.ts";
import type { TokenBearer, TokenRepository } from "./token.repository.ts";

interface BearerOptions {
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification" | "mfaRequired">;
  readonly tokens: Pick<TokenRepository, "bearerOf" | "touch">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

/**
 * Finds the person whose script shows a token. Undefined for a token that is not good, and for one of an account that may not sign in now:
 * it is disabled, its address is not proven, or it lacks the second factor that the app requires.
 */
export const createTokenBearers =
  ({ config, tokens, clock, log }: BearerOptions) =>
  async (token: string): Promise<TokenBearer | undefined> => {
    const secretHash = hashOfPersonalToken(token);
    const bearer = secretHash === undefined ? undefined : await tokens.bearerOf(secretHash, clock.now());
    if (bearer === undefined) return undefined;
    if (config.registerRequiresEmailVerification && bearer.emailVerifiedAt === null) return undefined;
    if (config.mfaRequired && bearer.factors === 0) return undefined;
    const { id, lastUsedAt } = bearer;
    if (lastUsedAt === null || lastUsedAt <= clock.now() - minute)
      await tokens
        .touch(id, clock.now())
        .catch((error: unknown) => log.warn("last use of a token not written", { token: id, error }));
    return bearer;
  };

export type TokenBearers = ReturnType<typeof createTokenBearers>;
