import type { Clock } from "../../../core/clock.ts";
import { factorBits, type FactorMethod } from "../method.ts";
import { clockOffOf, lastUsableStep, stepOf } from "./totp.ts";
import type { TotpRepository } from "./totp.repository.ts";

interface TotpOptions {
  readonly totp: Pick<TotpRepository, "find" | "useStep" | "noteClock">;
  readonly clock: Clock;
}

/** Codes of an authenticator app. Each is right once, and none that is older than the one used last (RFC 6238, section 5.2). */
export const createTotpMethod = ({ totp, clock }: TotpOptions): FactorMethod => ({
  name: "totp",

  isSetUp: async ({ factors }) => (factors & factorBits.totp) !== 0,

  async check({ id, factors }, { code = "" }) {
    const row = (factors & factorBits.totp) === 0 ? undefined : await totp.find(id);
    if (row === undefined || row.confirmedAt === null) return { refused: "no_such_factor" };
    const now = clock.now();
    const step = await stepOf(code, row.secret, now);
    if (step === undefined) {
      const offMs = clockOffOf(code, row.secret, now);
      return offMs === undefined
        ? { refused: "wrong_code" }
        : { refused: "code_of_other_time", notes: [totp.noteClock(id, row.secret, offMs, now)] };
    }
    if (step <= row.lastStep && row.lastStep <= lastUsableStep(step)) return { refused: "code_used" };
    return { guards: [totp.useStep(id, row.secret, step)] };
  },
});
