import type { Config } from "../../config/index.ts";
import { minute, type Clock, type Millis } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { FactorName } from "../factor/method.ts";
import { isImpersonated } from "./session.columns.ts";
import type { SessionProofRow, SessionRepository, SessionRow } from "./session.repository.ts";

interface SessionProofOptions {
  readonly config: Pick<Config["auth"], "mfaRequired">;
  readonly sessions: Pick<SessionRepository, "proofOf" | "prove">;
  readonly clock: Clock;
}

/** How long after a sign-in, or after the password was given again, acts that would hurt in other hands are open. */
const freshProofMs = 10 * minute;

/** By what the user of a session was proven, and when. */
export function createSessionProofs({ config, sessions, clock }: SessionProofOptions) {
  const isWeak = ({ factors, factor }: SessionProofRow): boolean => factors !== 0 && factor === null;
  /** A proof by a clock that was far ahead counts as none, rather than as one until that time has come. */
  const isFresh = (provedAt: Millis): boolean => Math.abs(clock.now() - provedAt) < freshProofMs;

  /** Staff in the person's name prove nothing of the person, and do nothing that asks for a proof. */
  async function proofOf({ id }: SessionRow): Promise<SessionProofRow | undefined> {
    const proof = await sessions.proofOf(id);
    if (proof !== undefined && isImpersonated(proof)) throw new AppError("impersonated");
    return proof;
  }

  return {
    /** Whether a proof of the session's user is minutes old. */
    isFresh,

    /**
     * Throws `reauthentication_required` unless the session's user was proven minutes ago, and by a second factor at some time where the
     * account has one: a session from before it was set up has to be proven by it first.
     */
    async requireFreshProof(session: SessionRow): Promise<void> {
      const proof = await proofOf(session);
      if (proof === undefined || !isFresh(proof.provedAt) || isWeak(proof))
        throw new AppError("reauthentication_required");
    },

    /**
     * Whether the session's user came by a password, has a second factor and was proven by one, minutes ago. Says of staff in the person's
     * name that it is not so.
     */
    async isByPasswordAndFactor({ id }: SessionRow): Promise<boolean> {
      const proof = await sessions.proofOf(id);
      if (proof === undefined || isImpersonated(proof)) return false;
      return isFresh(proof.provedAt) && proof.cameBy === "password" && proof.factor !== null && proof.factors !== 0;
    },

    /** Throws `reauthentication_required` where the account has a second factor and the session was never proven by one. */
    async requireFactor(session: SessionRow): Promise<void> {
      const proof = await proofOf(session);
      if (proof === undefined || isWeak(proof)) throw new AppError("reauthentication_required");
    },

    /**
     * Whether the app requires a second factor that the session, or its account, does not have: then it may only set one up. Staff in the
     * person's name have proven themselves elsewhere, and could set up none.
     */
    isFactorMissing: ({ impersonatorId, factor, factors }: SessionRow): boolean =>
      config.mfaRequired &&
      !isImpersonated({ impersonatorId }) &&
      (factor === null || factor === undefined || factors === 0),

    /** For the batch of whatever proved the session's user once more. A second factor raises what the session has reached. */
    prove: ({ id }: SessionRow, factor: FactorName | null = null): Statement => sessions.prove(id, factor, clock.now()),
  };
}
