import type { Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { FactorMethod } from "./method.ts";
import { createPasskeyParts } from "./passkeys.ts";
import { createRecoveryMethod } from "./recovery.method.ts";
import { createRecoveryRepository } from "./recovery.repository.ts";
import { createStoredFactors } from "./stored.factors.ts";
import { createTotpMethod } from "./totp.method.ts";
import { createTotpRepository } from "./totp.repository.ts";

interface FactorsOptions {
  readonly config: Pick<Config, "app" | "auth">;
  readonly database: Database;
  readonly clock: Clock;
}

/** The second factors that there are, each with its store and its check. */
export function createFactors({ config, database, clock }: FactorsOptions) {
  const totp = createTotpRepository(database);
  const recovery = createRecoveryRepository(database);
  const passkeyParts = createPasskeyParts({ config, database, clock });
  const methods: readonly FactorMethod[] = [
    createTotpMethod({ totp, clock }),
    passkeyParts.method,
    createRecoveryMethod({ recovery, clock }),
  ];
  const stored = createStoredFactors({ stores: [totp, passkeyParts.passkeys], recovery });
  return { totp, recovery, passkeyParts, methods, stored };
}
