import type { Clock } from "../../../core/clock.ts";
import { byUser } from "../../journal.ts";
import { noticeJob } from "../../mail/jobs.ts";
import type { FactorMethod } from "../method.ts";
import { recoveryCodeHash } from "./recovery.code.ts";
import type { RecoveryRepository } from "./recovery.repository.ts";

interface RecoveryOptions {
  readonly recovery: Pick<RecoveryRepository, "find" | "left" | "use">;
  readonly clock: Clock;
}

/** Recovery codes stand in for a factor that is not at hand. Each is right once, and its use is told to its owner by mail. */
export const createRecoveryMethod = ({ recovery, clock }: RecoveryOptions): FactorMethod => ({
  name: "recovery_code",

  isSetUp: async ({ id, factors }) => factors !== 0 && (await recovery.left(id)) > 0,

  async check({ id: userId, factors }, { code = "" }, { client }) {
    if (factors === 0) return { refused: "no_such_factor" };
    const row = await recovery.find(userId, recoveryCodeHash(code));
    if (row === undefined) return { refused: "wrong_code" };
    if (row.usedAt !== null) return { refused: "code_used" };
    const left = (await recovery.left(userId)) - 1;
    return {
      guards: [recovery.use(row.id, clock.now())],
      jobs: [noticeJob("recovery_code_used", { userId }, { about: String(Math.max(0, left)), client })],
      tell: [{ topic: "auth.recovery-code-used", payload: { user_id: userId }, by: byUser(client) }],
    };
  },
});
