/** @jsxImportSource #html */
import type { PeopleCounts, PersonSummary } from "../../auth/index.ts";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { Empty, Facets, Pager } from "../../http/pages/parts/list.tsx";
import { around } from "../../words/index.ts";
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

function Find({ context, search: { search, state, role } }: Pick<ListProps, "context" | "search">) {
  const { search: name, label, hint } = context.words.people.list;
  return (
    <SearchForm
      context={context}
      action={context.href("/people")}
      name={name}
      label={label}
      hint={hint}
      search={search}
    >
      {state !== undefined && <input type="hidden" name="state" value={state} />}
      {role !== undefined && <input type="hidden" name="role" value={role} />}
    </SearchForm>
  );
}

const facetsOf = ({
  context: {
    href,
    words: {
      people: { list: words },
    },
  },
  search: { state, role },
  counts,
}: Pick<ListProps, "context" | "search" | "counts">) => [
  { label: words.all, href: href("/people"), isCurrent: state === undefined && role === undefined, ...counts.all },
  ...states.map((name) => ({
    label: words.states[name],
    href: href(listPath({ state: name })),
    isCurrent: state === name,
    ...counts[name],
  })),
  ...counts.roles.map(({ role: name, ...count }) => ({
    label: words.role({ role: name }),
    href: href(listPath({ role: name })),
    isCurrent: role === name,
    ...count,
  })),
];

type Words = StaffContext["words"]["people"]["list"];

interface RosterProps extends Pick<ListProps, "context" | "people"> {
  readonly words: Words;
}

interface RowProps {
  readonly context: StaffContext;
  readonly person: PersonSummary;
}

const Row = ({ context, person, words: { marks, columns } }: RowProps & Pick<RosterProps, "words">) => (
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
      {!person.active && <Tag tone="danger">{marks.disabled}</Tag>}
      {person.lockedUntil !== undefined && <Tag tone="warning">{marks.locked}</Tag>}
      {!person.emailVerified && <Tag>{marks.unverified}</Tag>}
    </td>
    <td class="roles" title={person.roles.join(", ")}>
      {person.roles.join(", ")}
    </td>
    <td class="when" data-column={columns.signedIn}>
      <AgoOrNever at={person.lastLoginAt} context={context} />
    </td>
    <td class="when" data-column={columns.since}>
      <Ago at={person.createdAt} times={context.times} />
    </td>
  </tr>
);

const Roster = ({ context, people, words }: RosterProps) => (
  <div class="table" tabindex={0} role="region" aria-label={context.words.people.title}>
    <table class="cards roster">
      <thead>
        <tr>
          {Object.values(words.columns).map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <Row key={person.id} context={context} person={person} words={words} />
        ))}
      </tbody>
    </table>
  </div>
);

/** Says why the list is empty, and what to do about it. */
function nobody(
  { search: { search, state, role, cursor }, next }: Pick<ListProps, "search" | "next">,
  { nobody: words }: Words,
): Children {
  const isFiltered = state !== undefined || role !== undefined;
  if (next !== undefined) return words.soFar;
  if (cursor !== undefined) return words.further;
  if (search === undefined) return isFiltered ? words.here : words.yet;
  return <>{around(isFiltered ? words.foundHere : words.found, { search: <Chosen>{search}</Chosen> })}</>;
}

export const ListPage = ({ context, search, people, next, counts }: ListProps) => {
  const { cursor, ...beginning } = search;
  const { href } = context;
  const { title, list: words } = context.words.people;
  return (
    <StaffPage context={context} title={title} at="/people">
      <div class="heading">
        <h1>{title}</h1>
        <a href={href("/people/invitations")}>{context.words.invitations.title}</a>
      </div>
      <Find context={context} search={search} />
      <Facets write={context.count} label={words.show} facets={facetsOf({ context, search, counts })} />
      {people.length === 0 ? (
        <Empty>{nobody({ search, next }, words)}</Empty>
      ) : (
        <Roster context={context} people={people} words={words} />
      )}
      <Pager
        words={context.words.frame}
        label={words.pages}
        first={cursor === undefined ? undefined : href(listPath(beginning))}
        next={next === undefined ? undefined : href(listPath({ ...beginning, cursor: next }))}
      />
    </StaffPage>
  );
};
