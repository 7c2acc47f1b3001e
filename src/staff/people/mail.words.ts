import type { MailKind, MailReason, Person } from "../../auth/index.ts";
import { inWords } from "../../core/text/in.words.ts";
import type { StaffWords } from "../../words/staff.ts";

type Words = StaffWords["reasons"];
type Mail = Person["mails"][number];

/** Returns the subject of a mail in words. A kind of another release keeps its own word. */
export function kindInWords(kind: string, { mails }: Words): string {
  const kinds: Readonly<Record<MailKind, string>> = mails.kinds;
  return inWords(kinds, kind);
}

/** Returns the fate of a mail, such as "held back, as too many were asked for in an hour". */
export function fateInWords({ state, reason }: Pick<Mail, "state" | "reason">, { mails }: Words): string {
  const reasons: Readonly<Record<MailReason, string>> = mails.reasons;
  const fate = mails.fates[state];
  return reason === null ? fate : mails.because({ fate, reason: inWords(reasons, reason) });
}
