/** @jsxImportSource #html */
import type { PeopleCounts, PersonSummary } from "../../auth/index.ts";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { Empty, Facets, Pager } from "../../http/pages/parts/list.tsx";
import type { StaffContext } from "../frame/context.ts";
import { Ago, AgoOrNever } from "../frame/parts.tsx";
import { StaffPage } from "../frame/page.tsx";
import { SearchForm } from "../frame/search.form.tsx";
import { Chosen, Tag } from "./parts.tsx";
import { listPath, type Search, states } from "./search.ts";

interface ListProps {
  readonly context: StaffContext;
  readonly search: Search;
  readonly people: readonly PersonSummary[];
  readonly next: string | undefined;
  readonly counts: PeopleCounts;
}

const stateWords = { disabled: "Disabled", locked: "Locked", unverified: "Address not proven" } as const;

const Find = ({ context, search: { search, state, role } }: Pick<ListProps, "context" | "search">) => (
  <SearchForm
    context={context}
    action={context.href("/people")}
    name="Find people"
    label="Find somebody"
    hint="The beginning of an address, a user name or a display name, or an id"
    search={search}
  >
    {state !== undefined && <input type="hidden" name="state" value={state} />}
    {role !== undefined && <input type="hidden" name="role" value={role} />}
  </SearchForm>
);

const facetsOf = ({
  context: { href },
  search: { state, role },
  counts,
}: Pick<ListProps, "context" | "search" | "counts">) => [
  { label: "All", href: href("/people"), isCurrent: state === undefined && role === undefined, ...counts.all },
  ...states.map((name) => ({
    label: stateWords[name],
    href: href(listPath({ state: name })),
    isCurrent: state === name,
    ...counts[name],
  })),
  ...counts.roles.map(({ role: name, ...count }) => ({
    label: `Role ${name}`,
    href: href(listPath({ role: name })),
    isCurrent: role === name,
    ...count,
  })),
];

interface RowProps {
  readonly context: StaffContext;
  readonly person: PersonSummary;
}

const Row = ({ context, person }: RowProps) => (
  <tr>
    <td class="name">
      <a href={context.href(`/people/${person.id}`)} title={person.displayName}>
        <Chosen>{person.displayName}</Chosen>
      </a>
    </td>
    <td class="login" title={person.email}>
      <Chosen>{person.email}</Chosen>
      {person.username !== person.email && (
        <span class="soft">
          {" "}
          <Chosen>{person.username}</Chosen>
        </span>
      )}
    </td>
    <td class="state">
      {!person.active && <Tag tone="danger">disabled</Tag>}
      {person.lockedUntil !== undefined && <Tag tone="warning">locked</Tag>}
      {!person.emailVerified && <Tag>not proven</Tag>}
    </td>
    <td class="roles" title={person.roles.join(", ")}>
      {person.roles.join(", ")}
    </td>
    <td class="when" data-column="Signed in">
      <AgoOrNever at={person.lastLoginAt} context={context} />
    </td>
    <td class="when" data-column="Since">
      <Ago at={person.createdAt} times={context.times} />
    </td>
  </tr>
);

const columns = ["Name", "Address and user name", "State", "Roles", "Signed in", "Since"] as const;

const Roster = ({ context, people }: Pick<ListProps, "context" | "people">) => (
  <div class="table" tabindex={0} role="region" aria-label="People">
    <table class="cards roster">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <Row key={person.id} context={context} person={person} />
        ))}
      </tbody>
    </table>
  </div>
);

/** Says why the list is empty, and what to do about it. */
function nobody({ search: { search, state, role, cursor }, next }: Pick<ListProps, "search" | "next">): Children {
  const isFiltered = state !== undefined || role !== undefined;
  if (next !== undefined) return "Nobody among those that were looked through so far. The next page goes on.";
  if (cursor !== undefined) return "There is nobody further on.";
  if (search === undefined) return isFiltered ? "Nobody is in this list." : "There is no account yet.";
  return (
    <>
      Nobody {isFiltered && "in this list "}has an address, a user name or a display name that begins with “
      <Chosen>{search}</Chosen>”, or that id.
    </>
  );
}

export const ListPage = ({ context, search, people, next, counts }: ListProps) => {
  const { cursor, ...beginning } = search;
  const { href } = context;
  return (
    <StaffPage context={context} title="People" at="/people">
      <div class="heading">
        <h1>People</h1>
        <a href={href("/people/invitations")}>Invitations</a>
      </div>
      <Find context={context} search={search} />
      <Facets write={context.count} label="Show" facets={facetsOf({ context, search, counts })} />
      {people.length === 0 ? <Empty>{nobody({ search, next })}</Empty> : <Roster context={context} people={people} />}
      <Pager
        words={context.words.frame}
        label="people"
        first={cursor === undefined ? undefined : href(listPath(beginning))}
        next={next === undefined ? undefined : href(listPath({ ...beginning, cursor: next }))}
      />
    </StaffPage>
  );
};
