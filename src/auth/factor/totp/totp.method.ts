import type { Clock } from "../../../core/clock.ts";
import { factorBits, type FactorMethod } from "../method.ts";
import { lastUsableStep, stepOf } from "./totp.ts";
import type { TotpRepository } from "./totp.repository.ts";

interface TotpOptions {
  readonly totp: Pick<TotpRepository, "find" | "useStep">;
  readonly clock: Clock;
}

/** Codes of an authenticator app. Each is right once, and none that is older than the one used last (RFC 6238, section 5.2). */
export const createTotpMethod = ({ totp, clock }: TotpOptions): FactorMethod => ({
  name: "totp",

  isSetUp: async ({ factors }) => (factors & factorBits.totp) !== 0,

  async check({ id, factors }, { code = "" }) {
    const row = (factors & factorBits.totp) === 0 ? undefined : await totp.find(id);
    if (row === undefined || row.confirmedAt === null) return { refused: "no_such_factor" };
    const step = await stepOf(code, row.secret, clock.now());
    if (step === undefined) return { refused: "wrong_code" };
    if (step <= row.lastStep && row.lastStep <= lastUsableStep(step)) return { refused: "code_used" };
    return { guards: [totp.useStep(id, row.secret, step)] };
  },
});
