import type { Person } from "../../auth/index.ts";
import type { Hindrance } from "../../core/people/standing.ts";
import type { Trouble } from "../../core/people/troubles.ts";
import type { StaffWords } from "../../words/staff.ts";
import type { ActName } from "./acts.ts";

/** What keeps a person out, or a sign of what goes wrong. */
export type Reason = Hindrance | Trouble;
type Words = StaffWords["acts"];
type Topic = Reason["why"] | "clock_off";
type Tone = "good" | "warning" | "danger";

/** A button beside a reason. */
export interface Remedy {
  readonly act: ActName;
  readonly label: keyof Words["buttons"];
}

/** Hindrances that keep a person out everywhere. Any other leaves a way in. */
const hindersEverywhere: ReadonlySet<Hindrance["why"]> = new Set([
  "disabled",
  "locked",
  "blocked",
  "address_not_proven",
  "no_way_in",
]);

const unlock: Remedy = { act: "unlock", label: "unlock" };
const reset: Remedy = { act: "send-reset", label: "reset" };
const resetFactors: Remedy = { act: "reset-factors", label: "resetFactors" };

/** What helps against a reason, the right act first. */
const remedies: Readonly<Partial<Record<Topic, readonly Remedy[]>>> = {
  disabled: [{ act: "enable", label: "enable" }],
  locked: [unlock],
  browser_locked: [unlock],
  blocked: [reset, unlock],
  rate_limited: [unlock],
  codes_used_up: [unlock],
  address_not_proven: [
    { act: "send-verification", label: "proofAgain" },
    { act: "verify", label: "verify" },
  ],
  no_way_in: [{ act: "send-reset", label: "firstPassword" }],
  wrong_codes: [resetFactors],
  second_step_unanswered: [resetFactors],
  wrong_passwords: [reset],
};

/** Returns what a reason is about: codes that are right by another clock are no matter of the codes. */
const topicOf = <Any extends Reason>(reason: Any): Any["why"] | "clock_off" =>
  reason.why === "wrong_codes" && "offMs" in reason && reason.offMs !== undefined ? "clock_off" : reason.why;

/** Returns the acts that help. A link is no help to whom no mail reaches. */
export function remediesFor(reason: Reason, { troubles }: Pick<Person, "troubles">): readonly Remedy[] {
  const all = remedies[topicOf(reason)] ?? [];
  const hasMail = !troubles.some(({ why }) => why === "mail_refused");
  return hasMail ? all : all.filter(({ act }) => !act.startsWith("send-"));
}

/** Returns what to tell the person, or what to know before a button is pressed; undefined where there is nothing to say. */
export function adviceOn(reason: Reason, words: Words): string | undefined {
  const advice: Readonly<Partial<Record<Topic, string>>> = words.advice;
  return advice[topicOf(reason)];
}

/** Says what keeps a person out in some ways. */
function partlyOut({ why, address, organization }: Hindrance, headlines: Words["headlines"]): string {
  const { from, fromSome, by, bySome, noCodes, partly } = headlines;
  if (why === "rate_limited" || why === "address_limited") return address === undefined ? fromSome : from({ address });
  if (why === "provider_demanded") return organization === undefined ? bySome : by({ organization });
  return why === "codes_used_up" ? noCodes : partly;
}

/** Returns the headline of a call: whether the person gets in now, and where not the reason in a few words. */
export function headlineOf(
  { standing, troubles }: Pick<Person, "standing" | "troubles">,
  { headlines }: Words,
): { readonly tone: Tone; readonly title: string } {
  if (standing.some(({ why }) => hindersEverywhere.has(why))) return { tone: "danger", title: headlines.out };
  const [hindrance] = standing;
  const [trouble] = troubles;
  if (hindrance !== undefined) return { tone: "warning", title: partlyOut(hindrance, headlines) };
  return trouble === undefined
    ? { tone: "good", title: headlines.in }
    : { tone: "warning", title: headlines[topicOf(trouble)] };
}
