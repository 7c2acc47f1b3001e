import { createChallengeRepository } from "../factor/challenge.repository.ts";
import { createChallenges } from "../factor/challenges.ts";
import { createFactors } from "../factor/factors.ts";
import { createPasskeyParts } from "../factor/passkey/passkeys.ts";
import { createRecoveryMethod } from "../factor/recovery/recovery.code.ts";
import { createRecoveryRepository } from "../factor/recovery/recovery.repository.ts";
import { createStoredFactors } from "../factor/stored.factors.ts";
import { createTotpMethod } from "../factor/totp/totp.method.ts";
import { createTotpRepository } from "../factor/totp/totp.repository.ts";
import { createLonePasswords } from "../password/password.policy.ts";
import type { AuthOptions } from "./base.ts";

export type Factors = ReturnType<typeof wireFactors>;

/** Second factors, each with its store and its check, and the challenges that ask for them. */
export function wireFactors({ config, database, clock }: AuthOptions) {
  const totp = createTotpRepository(database);
  const recovery = createRecoveryRepository(database);
  const passkeyParts = createPasskeyParts({ config, database, clock });
  const factors = createFactors([
    createTotpMethod({ totp, clock }),
    passkeyParts.method,
    createRecoveryMethod({ recovery, clock }),
  ]);
  return {
    totp,
    recovery,
    passkeyParts,
    storedFactors: createStoredFactors({
      stores: [totp, passkeyParts.passkeys],
      recovery,
      isRequired: config.auth.mfaRequired,
      requireAlone: createLonePasswords(config.auth),
    }),
    challenges: createChallenges({ rows: createChallengeRepository(database, config.app.name), factors, clock }),
  };
}
