import type { FactorAnswer, FactorName } from "../../../client/index.ts";

/** A way to prove one's identity. */
export type Way = FactorName | "password";

/** A proof in one of the ways: the body of `/login/verify` and of `/reauthenticate`. */
export type Shown = FactorAnswer | { readonly current_password: string };

/** Ways in the order of their use: the easiest first, the hardest to replace last. */
const order: readonly Way[] = ["passkey", "password", "totp", "recovery_code"];

export const inOrder = (ways: readonly Way[]): readonly Way[] => order.filter((way) => ways.includes(way));
