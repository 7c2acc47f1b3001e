/** @jsxImportSource #html */
import type { AccountName } from "../../auth/index.ts";
import type { StaffContext } from "./context.ts";

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
