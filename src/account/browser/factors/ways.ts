import type { FactorAnswer, FactorName } from "../../../client/index.ts";

/** By what somebody can show that it is them. */
export type Way = FactorName | "password";

/** The same with what was shown: the body of `/login/verify` and of `/reauthenticate`. */
export type Shown = FactorAnswer | { readonly current_password: string };

/** The easiest first; what is hardest to come by again last. */
const order: readonly Way[] = ["passkey", "password", "totp", "recovery_code"];

export const inOrder = (ways: readonly Way[]): readonly Way[] => order.filter((way) => ways.includes(way));
