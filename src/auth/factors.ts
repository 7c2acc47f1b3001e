import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import { createRecoveryMethod } from "./factor/recovery.method.ts";
import { createRecoveryRepository } from "./factor/recovery.repository.ts";
import { createStoredFactors } from "./factor/stored.factors.ts";
import { createTotpMethod } from "./factor/totp.method.ts";
import { createTotpRepository } from "./factor/totp.repository.ts";

interface FactorsOptions {
  readonly database: Database;
  readonly clock: Clock;
}

/** The second factors that there are, each with its store and its check. */
export function createFactors({ database, clock }: FactorsOptions) {
  const totp = createTotpRepository(database);
  const recovery = createRecoveryRepository(database);
  return {
    totp,
    recovery,
    methods: [createTotpMethod({ totp, clock }), createRecoveryMethod({ recovery, clock })],
    stored: createStoredFactors({ stores: [totp], recovery }),
  };
}
