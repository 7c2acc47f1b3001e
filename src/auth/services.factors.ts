import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import { createChallengeRepository } from "./factor/challenge.repository.ts";
import { createChallenges } from "./factor/challenges.ts";
import { createFactors } from "./factor/factors.ts";
import type { FactorMethod } from "./factor/method.ts";
import { createPasskeyParts } from "./factor/passkeys.ts";

interface FactorServiceOptions {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
}

/** Second factors, and the challenges that ask for them. */
export function createFactorServices({ config, database, clock }: FactorServiceOptions) {
  const passkeyParts = createPasskeyParts({ config, database, clock });
  const methods: readonly FactorMethod[] = [passkeyParts.method];
  const factors = createFactors(methods);
  return {
    passkeyParts,
    challenges: createChallenges({ rows: createChallengeRepository(database, config.app.name), factors, clock }),
  };
}
