import type { JsonObject } from "../../metadata/merge.patch.ts";
import type { AccessTokens } from "../access.token.ts";
import type { Claims } from "./claims.ts";
import type { CallerRow } from "../session.repository.ts";

/** Somebody with a session, or with a personal token. */
type Caller = Pick<
  CallerRow,
  "id" | "email" | "emailVerifiedAt" | "roles" | "displayName" | "externalId" | "appMetadata" | "actsFor"
>;

/**
 * Makes the claims of a caller for those who ask about them: ours as they are now, and those of a hook as the token has them. `tokens` are
 * those of the request, of which one may be the caller's.
 */
export const createShownClaims =
  (claims: Claims, accessTokens: Pick<AccessTokens, "recall">) =>
  (caller: Caller, tokens: readonly (string | undefined)[]): JsonObject => {
    const verified = tokens.flatMap((token) => (token === undefined ? [] : (accessTokens.recall(token) ?? [])));
    const own = verified.find(({ sessionId }) => sessionId === caller.id);
    return claims(
      { ...caller, externalId: caller.externalId ?? null, appMetadata: caller.appMetadata ?? null },
      own?.more,
    );
  };

export type ShownClaims = ReturnType<typeof createShownClaims>;
