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

/** Formats a moment, in the reader's time zone where that is known. */
type Moment = (at: Millis) => string;

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Returns how far a clock is off: "7 minutes ahead", "2 hours behind". */
function offInWords(offMs: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(offMs) / 60_000));
  const hours = Math.round(minutes / 6) / 10;
  const length = minutes < 90 ? counted(minutes, "minute") : `${hours} hours`;
  return `${length} ${offMs > 0 ? "ahead" : "behind"}`;
}

function wrongCodes({ at, count, offMs }: Extract<Trouble, { why: "wrong_codes" }>, moment: Moment): string {
  const typed = `${counted(count, "wrong code")} of the authenticator app since the last sign-in, the last one at ${moment(at)}`;
  return offMs === undefined
    ? typed
    : `${typed}: right by a clock that is ${offInWords(offMs)}, so the phone's clock or time zone is off`;
}

/** The only wording of a trouble, for pages and commands: part of a sentence, in lower case. */
export function troubleWords(trouble: Trouble, moment: Moment): string {
  const { count, at } = { count: 1, ...trouble };
  switch (trouble.why) {
    case "mail_refused":
      return `${trouble.isOfMailbox ? "the mailbox does not take mails" : "the last mail did not arrive"} (${moment(at)}): ${trouble.answer}`;
    case "wrong_codes":
      return wrongCodes(trouble, moment);
    case "second_step_unanswered":
      return `the password was right ${times(count)}, the last time at ${moment(at)}, and the second step was not taken: the phone may be lost; ${counted(trouble.codesLeft, "recovery code")} left`;
    case "wrong_passwords":
      return `${counted(count, "wrong password")} since the last sign-in, the last one at ${moment(at)}${trouble.address === undefined ? "" : ` from ${trouble.address}`}`;
    case "unused_sessions":
      return `signed in ${times(count)} since ${moment(at)} with ${trouble.device}, and no session was used after its first minute: the browser keeps no cookies, or is closed each time`;
  }
}
