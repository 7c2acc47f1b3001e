import type { Config } from "../../../config/index.ts";
import type { Clock } from "../../../core/clock.ts";
import type { Database } from "../../../drivers/database/index.ts";
import { createPasskeyChallenges } from "./passkey.challenges.ts";
import { createPasskeyChecks } from "./passkey.check.ts";
import { createPasskeyMethod } from "./passkey.method.ts";
import { createPasskeyRepository } from "./passkey.repository.ts";
import { createPasskeyPolicy } from "./passkey.policy.ts";
import { createRelyingParty } from "./relying.party.ts";

interface PasskeyPartsOptions {
  readonly config: Pick<Config, "app" | "auth">;
  readonly database: Database;
  readonly clock: Clock;
}

/** Makes the parts that everything about passkeys is built on, and the passkey as a second factor. */
export function createPasskeyParts({ config, database, clock }: PasskeyPartsOptions) {
  const party = createRelyingParty(config);
  const passkeys = createPasskeyRepository(database, party.id);
  const policy = createPasskeyPolicy({ config: config.auth, clock });
  const checks = createPasskeyChecks(party, policy);
  const challenges = createPasskeyChallenges({
    app: config.app.name,
    secret: config.auth.jwtSecret,
    previousSecrets: config.auth.jwtPreviousSecrets,
    clock,
  });
  return {
    party,
    policy,
    passkeys,
    checks,
    challenges,
    method: createPasskeyMethod({ party, passkeys, checks, clock }),
  };
}

export type PasskeyParts = ReturnType<typeof createPasskeyParts>;
