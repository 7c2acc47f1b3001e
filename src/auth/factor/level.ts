import type { Millis } from "../../core/clock.ts";
import type { FactorName } from "./method.ts";

/** `impersonation`: not the person, but a member of staff in their name. */
export const waysIn = ["password", "provider", "email", "passkey", "impersonation"] as const;
export type WayIn = (typeof waysIn)[number];

/**
 * Returns the word for how somebody came, by which the audit log and the dashboard know it: that of the way, or the name of the provider. No
 * name of a provider has an underscore. Undefined where the provider is not known.
 */
export const wayWord = (cameBy: WayIn, provider: string | undefined): string | undefined =>
  cameBy === "provider" ? provider : `by_${cameBy}`;

/** How strongly the user of a session was proven. A refresh keeps the level as it is; only a second factor raises it. */
export interface Level {
  /** Null in a session that an earlier release has opened. */
  readonly cameBy: WayIn | null;
  readonly factor: FactorName | null;
}

/** A level, and when the user was last proven. */
export interface Proof extends Level {
  readonly provedAt: Millis;
}
