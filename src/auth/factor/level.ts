import type { FactorName } from "./method.ts";

/** The first proofs that let a user in. */
export const waysIn = ["password", "provider", "email", "passkey"] as const;
export type WayIn = (typeof waysIn)[number];

/** How strongly the user of a session was proven. A refresh keeps the level as it is; only a second factor raises it. */
export interface Level {
  /** Null in a session that an earlier release has opened. */
  readonly cameBy: WayIn | null;
  /** The second factor that the session was proven by. */
  readonly factor: FactorName | null;
}
