import { auditActions, programOf } from "../core/audit.ts";
import { isKnownProvider, knownProviderNames } from "../core/people/providers.ts";
import { inWords } from "../core/text/in.words.ts";
import { countedInWords } from "../words/counted.ts";
import type { StaffWords } from "../words/staff.ts";
import type { AuditRow } from "./audit.repository.ts";

type Words = StaffWords["reasons"];

/** Returns what an action is called. One of another release stands for itself. */
export const actionInWords = (action: string, { actions }: Words): string => inWords(actions, action);

/** Returns the words of a reason. Names of roles, schedules and the like stand for themselves. */
export const reasonInWords = (reason: string, { flaws, byProvider }: Words): string =>
  isKnownProvider(reason) ? byProvider({ provider: knownProviderNames[reason] }) : inWords(flaws, reason);

type Detailed = Pick<AuditRow, "action" | "reason"> & Partial<Pick<AuditRow, "service">>;

/** Returns which program a row is about, and its reason: "Shop, the person said no"; undefined where a row has neither. */
export function detailsInWords(row: Detailed, words: Words): string | undefined {
  const { reason } = row;
  const details = [programOf(row), reason === null ? undefined : reasonInWords(reason, words)];
  const known = details.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known.join(", ");
}

/** Actions that are bad news by themselves: nobody was refused a lock. */
const saySo: ReadonlySet<string> = new Set([
  "auth.login-failed",
  "auth.locked",
  "auth.logins-blocked",
  "auth.refresh-reused",
  "auth.factor-refused",
  "auth.attempt-refused",
  "auth.request-refused",
  "auth.registration-refused",
  "auth.token-refused",
  "auth.mail-withheld",
  "auth.address-rejected",
  "client.refused",
  "service.refused",
  "staff.refused",
]);

/** Returns what a row says, with its details: "Sign-in refused: the password was wrong". */
export function rowInWords(row: Detailed & Pick<AuditRow, "outcome" | "count">, words: Words): string {
  const { action, outcome } = row;
  const said = actionInWords(action, words);
  const done = outcome === "failure" && !saySo.has(action) ? words.row.refused({ what: said }) : said;
  const details = detailsInWords(row, words);
  const what = details === undefined ? done : words.row.because({ what: done, details });
  return countedInWords(what, row, words);
}

/** Returns every action with its words, sorted by the words. `tag` (BCP 47) is their language. */
export const actionsInWords = (
  words: Words,
  tag: string,
): readonly { readonly action: string; readonly words: string }[] =>
  auditActions
    .map((action) => ({ action, words: actionInWords(action, words) }))
    .toSorted((a, b) => a.words.localeCompare(b.words, tag));

const isActor = (actor: string, actors: Words["actors"]): actor is keyof Words["actors"] =>
  Object.hasOwn(actors, actor);

/**
 * Names the actor of an event within a sentence, an operator with the login on the host where it is known: "operator (ada)". An actor of
 * another release keeps its own word.
 */
export function actorInWords(actor: string, operator: string | null, { actors }: Words): string {
  if (operator !== null) return `${actor} (${operator})`;
  return isActor(actor, actors) ? actors[actor] : actor;
}
