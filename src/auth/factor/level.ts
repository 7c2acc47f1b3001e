import type { FactorName } from "./method.ts";

export const waysIn = ["password", "provider", "email", "passkey"] as const;
export type WayIn = (typeof waysIn)[number];

/** How strongly the user of a session was proven. A refresh keeps the level as it is; only a second factor raises it. */
export interface Level {
  /** Null in a session that an earlier release has opened. */
  readonly cameBy: WayIn | null;
  readonly factor: FactorName | null;
}
