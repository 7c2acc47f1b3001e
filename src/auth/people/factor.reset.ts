import type { By } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Evictions } from "../flow/eviction/eviction.ts";
import { noticeJob } from "../mail/jobs.ts";
import { codesKey } from "../pressure/counters.ts";
import type { Pressure } from "../pressure/pressure.ts";
import { userFactors } from "../user/user.factors.repository.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { Acts } from "./acts.ts";

interface FactorResetOptions {
  readonly acts: Pick<Acts, "commit">;
  readonly evictions: Pick<Evictions, "evict">;
  readonly pressure: Pick<Pressure, "clearAll">;
  readonly clock: Clock;
}

/**
 * Takes every second factor from an account whose owner has lost them, and ends its sessions: a thief of one of the factors may have one of
 * the sessions, too. Staff don't do it to themselves: where they remove their own factors, they are asked for a fresh proof.
 */
export const createFactorReset =
  ({ acts, evictions, pressure, clock }: FactorResetOptions) =>
  async (user: UserRow, by: By): Promise<boolean> => {
    if (by.actor === "staff" && by.userId === user.id) throw new AppError("own_account");
    const done = await acts.commit({
      user,
      by,
      statements: [
        // The bits are written twice: the first write is the guard that says whether there is any factor.
        userFactors.clear(user.id, clock.now()),
        ...evictions.evict(user.id, "factors_reset").statements,
        // Wrong codes of the app that goes must not count against the next one.
        ...pressure.clearAll([codesKey(user)]),
      ],
      // The link leads to the pages of the app that people use, whichever app resets.
      jobs: [{ ...noticeJob("factors_reset", { userId: user.id }), app: "app" }],
      tell: [{ topic: "auth.factors-reset", payload: { user_id: user.id }, by }],
    });
    return done !== undefined;
  };
