import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import { createGrantRepository } from "./grant/grant.repository.ts";
import { createGrantService, takeBackTtlMs, undoTtlMs } from "./grant/grant.service.ts";
import { createMailedCodes } from "./grant/mailed.codes.ts";
import { createMailedTokens } from "./mailed.tokens.ts";
import type { UserRepository } from "./user/user.repository.ts";

interface GrantServiceOptions {
  readonly config: Config["auth"];
  readonly database: Database;
  readonly users: UserRepository;
  readonly clock: Clock;
}

/** Makes the services for proofs by mail. */
export function createGrantServices({ config, database, users, clock }: GrantServiceOptions) {
  const grantRows = createGrantRepository(database);
  const tokens = createMailedTokens(config.jwtSecret);
  const grants = createGrantService({
    database,
    users,
    grants: grantRows,
    tokens,
    codes: createMailedCodes({ secret: config.jwtSecret, previousSecrets: config.jwtPreviousSecrets }),
    ttlMs: {
      password_reset: config.passwordResetTtlMs,
      email_verification: config.emailVerificationTtlMs,
      email_change_undo: undoTtlMs,
      email_change_factor_undo: undoTtlMs,
      email_change_cancel: undoTtlMs,
      factor_undo: takeBackTtlMs,
      identity_undo: takeBackTtlMs,
      email_login: config.emailLoginTtlMs,
    },
    clock,
  });
  return { grantRows, grants, mailedTokens: tokens };
}
