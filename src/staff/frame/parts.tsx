/** @jsxImportSource #html */
import type { AccountName } from "../../auth/index.ts";
import type { Millis } from "../../core/clock.ts";
import { Ago, Moment } from "../../kit/index.ts";
import { around } from "../../words/index.ts";
import type { StaffContext } from "./context.ts";

export { Ago, Moment } from "../../kit/index.ts";

/** Names several things in a sentence of the reader's language: "admin or support". */
export const listed = (
  { speech }: Pick<StaffContext, "speech">,
  names: readonly string[],
  type: "conjunction" | "disjunction",
): string => new Intl.ListFormat(speech.language, { type }).format(names);

interface MomentProps {
  readonly at: Millis | null;
  readonly context: Pick<StaffContext, "times" | "words">;
}

/** Ends a sentence with the moment at which its subject ends by itself; nothing where it has no end. */
export const Until = ({ at, context: { times, words } }: MomentProps) =>
  at === null ? null : <>{around(words.frame.until, { moment: <Moment at={at} times={times} /> })}</>;

/** The time since a moment; "never" where there is none. */
export const AgoOrNever = ({ at, context: { times, words } }: MomentProps) =>
  at === null ? <span class="soft">{words.frame.never}</span> : <Ago at={at} times={times} />;

interface PersonProps {
  readonly context: StaffContext;
  readonly id: string;
  readonly names: ReadonlyMap<string, AccountName>;
}

/** A person's name with a link to their page. A deleted account appears as the beginning of its id. */
export function PersonLink({ context, id, names }: PersonProps) {
  const name = names.get(id);
  return name === undefined ? (
    <span class="soft briefly" title={id}>
      {context.words.frame.deleted({ id: id.slice(0, 8) })}
    </span>
  ) : (
    <a
      class="somebody"
      href={context.href(`/people/${id}`)}
      dir="auto"
      title={`${name.displayName} (${name.username})`}
    >
      {name.displayName}
    </a>
  );
}
