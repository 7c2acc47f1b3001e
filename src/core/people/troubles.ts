import type { Millis } from "../clock.ts";

/** A sign of what goes wrong for a person whom nothing keeps from signing in. */
export type Trouble =
  /** The last mail did not arrive. `isOfMailbox`: the mailbox itself does not take it. */
  | { readonly why: "mail_refused"; readonly at: Millis; readonly answer: string; readonly isOfMailbox: boolean }
  /** `offMs`: the codes are right by a clock that is so far ahead, or behind where it is negative. */
  | { readonly why: "wrong_codes"; readonly at: Millis; readonly count: number; readonly offMs?: number }
  /** The password was right, and nobody has answered the question for the second step. */
  | { readonly why: "second_step_unanswered"; readonly at: Millis; readonly count: number; readonly codesLeft: number }
  | { readonly why: "wrong_passwords"; readonly at: Millis; readonly count: number; readonly address?: string }
  /** Sessions were begun one after the other, and none was used after its first minute. */
  | { readonly why: "unused_sessions"; readonly at: Millis; readonly count: number; readonly device: string };
