import type { Limits } from "../../pressure/limits.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import type { SessionService } from "../../session/session.service.ts";

interface FactorChangeOptions {
  readonly sessions: Pick<SessionService, "requireFreshProof">;
  readonly pressure: Pick<Limits, "limitHourly">;
}

/** Changes that a user may try in an hour: set-ups, confirming codes and passkeys, removals and new recovery codes together. */
const changesPerHour = 60;

/** Lets a session change the second factors of its account. Throws `reauthentication_required`, or `rate_limited` after too many tries. */
export async function permitFactorChange(
  session: SessionRow,
  { sessions, pressure }: FactorChangeOptions,
): Promise<void> {
  await sessions.requireFreshProof(session);
  await pressure.limitHourly("factor-change", session.userId, changesPerHour);
}
