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

const ofWays: Readonly<Record<WayIn, readonly string[]>> = {
  password: ["pwd"],
  provider: ["fed"],
  email: ["email"],
  passkey: ["swk", "user"],
};
const ofFactors: Readonly<Record<FactorName, string>> = { totp: "otp", recovery_code: "otp", passkey: "swk" };

/**
 * Returns the claim `amr` of an access token (RFC 8176). `fed` for a provider and `email` for a mailed code are not registered: no
 * registered value means them.
 */
export const methodReferences = ({ cameBy, factor }: Level): string[] => [
  ...new Set([...(cameBy === null ? [] : ofWays[cameBy]), ...(factor === null ? [] : [ofFactors[factor], "mfa"])]),
];
