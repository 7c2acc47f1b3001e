import type { Person } from "../../auth/index.ts";
import type { Hindrance } from "../../core/people/standing.ts";
import type { Trouble } from "../../core/people/troubles.ts";
import type { ActName } from "./acts.ts";
import { firstPasswordLabel } from "./parts.tsx";

type Why = Hindrance["why"] | Trouble["why"];
type Tone = "good" | "warning" | "danger";

/** A button beside a reason. */
export interface Remedy {
  readonly act: ActName;
  readonly label: string;
}

/** What helps against a reason: the right act first, and what to tell the person. */
interface Help {
  readonly remedies: readonly Remedy[];
  readonly advice?: string;
}

/** Hindrances that keep a person out everywhere. Any other leaves a way in. */
const hindersEverywhere: ReadonlySet<Hindrance["why"]> = new Set([
  "disabled",
  "locked",
  "blocked",
  "address_not_proven",
  "no_way_in",
]);

const unlock: Remedy = { act: "unlock", label: "Unlock" };
const reset: Remedy = { act: "send-reset", label: "Mail a reset link" };
const resetFactors: Remedy = { act: "reset-factors", label: "Reset the second step" };
const verify: Remedy = { act: "verify", label: "Count as proven" };
const otherNetwork = "From another network, such as that of the phone, they get in at once.";

const help: Readonly<Record<Why, Help>> = {
  disabled: { remedies: [{ act: "enable", label: "Enable" }], advice: "“What happened” says who did it, and when." },
  locked: {
    remedies: [unlock],
    advice: "Browsers that the account knows get in all the same. If it was not them, leave it locked.",
  },
  browser_locked: { remedies: [unlock] },
  blocked: {
    remedies: [reset, unlock],
    advice: "A new password opens the account. Unlocking gives a guesser as many tries again.",
  },
  rate_limited: { remedies: [unlock], advice: otherNetwork },
  address_limited: { remedies: [], advice: `${otherNetwork} Unlocking one person does not lift it.` },
  codes_used_up: { remedies: [unlock], advice: "Passkeys and recovery codes go on working." },
  address_not_proven: { remedies: [{ act: "send-verification", label: "Mail the link again" }, verify] },
  provider_demanded: {
    remedies: [],
    advice: "Their password is the organization’s own: it is reset there, and nothing here helps.",
  },
  no_password: { remedies: [] },
  no_way_in: { remedies: [{ act: "send-reset", label: firstPasswordLabel }] },
  mail_refused: {
    remedies: [],
    advice:
      "Ask for another address of theirs. Signed in, they change it on their account page; until then no link reaches them.",
  },
  wrong_codes: {
    remedies: [resetFactors],
    advice:
      "Have them choose the entry of this service in the app, or use a recovery code. Make sure that it is them before you reset.",
  },
  second_step_unanswered: {
    remedies: [resetFactors],
    advice: "Ask for a recovery code first. Make sure that it is them: whoever took the phone knows the password, too.",
  },
  wrong_passwords: {
    remedies: [reset],
    advice: "If it was not them, the account is being guessed at: nothing is lost yet.",
  },
  unused_sessions: {
    remedies: [],
    advice: "Have them allow cookies for this site, leave the private window, and tick that they stay signed in.",
  },
};

const clockOff: Help = {
  remedies: [],
  advice:
    "Have them let the phone set its clock and time zone by itself, and type the next code. Nothing needs to be reset.",
};

/** Returns what helps. A link is no help to whom no mail reaches. */
export function helpFor(reason: Hindrance | Trouble, { troubles }: Pick<Person, "troubles">): Help {
  if (reason.why === "wrong_codes" && reason.offMs !== undefined) return clockOff;
  const { remedies, ...rest } = help[reason.why];
  const hasMail = !troubles.some(({ why }) => why === "mail_refused");
  return { remedies: hasMail ? remedies : remedies.filter(({ act }) => !act.startsWith("send-")), ...rest };
}

/** Titles of what keeps a person out in some ways. */
const partly: Readonly<Partial<Record<Hindrance["why"], (hindrance: Hindrance) => string>>> = {
  rate_limited: ({ address = "one address" }) => `Can’t sign in from ${address} now`,
  address_limited: ({ address = "one address" }) => `Can’t sign in from ${address} now`,
  codes_used_up: () => "Can’t use the authenticator app now",
  provider_demanded: ({ organization = "an organization" }) => `Signs in by ${organization} alone`,
};

const titles: Readonly<Record<Trouble["why"], string>> = {
  mail_refused: "Can sign in, but gets no mail",
  wrong_codes: "Can sign in, but types wrong codes",
  second_step_unanswered: "Stops at the second step",
  wrong_passwords: "Can sign in, but types wrong passwords",
  unused_sessions: "Signs in, but does not stay signed in",
};

const titleOf = (trouble: Trouble): string =>
  trouble.why === "wrong_codes" && trouble.offMs !== undefined
    ? "Can sign in, but the clock of the phone is off"
    : titles[trouble.why];

/** Returns the headline of a call: whether the person gets in now, and where not the reason in a few words. */
export function headlineOf({ standing, troubles }: Pick<Person, "standing" | "troubles">): {
  readonly tone: Tone;
  readonly title: string;
} {
  if (standing.some(({ why }) => hindersEverywhere.has(why))) return { tone: "danger", title: "Can’t sign in now" };
  const [hindrance] = standing;
  const [trouble] = troubles;
  if (hindrance !== undefined)
    return { tone: "warning", title: partly[hindrance.why]?.(hindrance) ?? "Can sign in, but not in every way" };
  return trouble === undefined ? { tone: "good", title: "Can sign in" } : { tone: "warning", title: titleOf(trouble) };
}
