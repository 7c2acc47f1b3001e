import type { Clock } from "../../src/core/clock.ts";
import type { AgeClock } from "../../src/core/clock.trust.ts";

/** Returns a clock that counts as trusted, whatever it says. */
export const agesOf = (clock: Clock): AgeClock => ({ trusted: async () => clock.now() });

/** A clock that can't be trusted for another minute. */
export const untrusted: AgeClock = { trusted: async () => ({ heldForMs: 60_000 }) };

/** How long the audit log keeps rows, of each kind as long. */
export const keptAlike = (ms: number) => ({ sign_in: ms, account: ms, staff: ms, system: ms });
