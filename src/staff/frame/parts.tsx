/** @jsxImportSource #html */
import type { AccountName } from "../../auth/index.ts";
import type { Millis } from "../../core/clock.ts";
import { Ago, Moment, type Times } from "../../kit/index.ts";
import type { StaffContext } from "./context.ts";

export { Ago, Moment } from "../../kit/index.ts";

/** Ends a sentence with the moment at which its subject ends by itself; nothing where it has no end. */
export const Until = ({ at, times }: { readonly at: Millis | null; readonly times: Times }) =>
  at === null ? null : (
    <>
      , until <Moment at={at} times={times} />
    </>
  );

/** The time since a moment; "never" where there is none. */
export const AgoOrNever = ({ at, times }: { readonly at: Millis | null; readonly times: Times }) =>
  at === null ? <span class="soft">never</span> : <Ago at={at} times={times} />;

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
      deleted account {id.slice(0, 8)}
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
