/** @jsxImportSource #html */
import type { FoundOrganization } from "../../organization/index.ts";
import { around } from "../../words/index.ts";
import { Empty, Pager, Table } from "../../http/pages/parts/list.tsx";
import type { StaffContext } from "../frame/context.ts";
import { Ago } from "../frame/parts.tsx";
import { StaffPage } from "../frame/page.tsx";
import { SearchForm } from "../frame/search.form.tsx";
import { Chosen } from "../people/parts.tsx";
import { Ownership } from "./parts.tsx";
import { listPath, newPath, organizationsPath, pathOf, type Search } from "./paths.ts";

interface ListProps {
  readonly context: StaffContext;
  readonly search: Search;
  readonly organizations: readonly FoundOrganization[];
  readonly next: string | undefined;
}

const nothing = ({ words }: StaffContext, { search, cursor }: Search) => {
  const { end, empty, unfound } = words.organizations.list;
  if (cursor !== undefined) return <>{end}</>;
  return search === undefined ? <>{empty}</> : <>{around(unfound, { search: <Chosen>{search}</Chosen> })}</>;
};

export const ListPage = ({ context, search, organizations, next }: ListProps) => {
  const { href, times } = context;
  const { cursor, ...beginning } = search;
  const { title, facts, list: words } = context.words.organizations;
  return (
    <StaffPage context={context} title={title} at={organizationsPath}>
      <div class="heading">
        <h1 id="organizations">{title}</h1>
        {context.may("organizations.change") && <a href={href(newPath)}>{words.make}</a>}
      </div>
      <SearchForm
        context={context}
        action={href(organizationsPath)}
        name={words.search}
        label={words.label}
        hint={words.hint}
        search={search.search}
      />
      <Table
        labelledBy="organizations"
        columns={[facts.name, facts.slug, facts.members, facts.owners, facts.since]}
        rows={organizations.map((organization) => [
          <a class="named" href={href(pathOf(organization.id))}>
            <Chosen>{organization.name}</Chosen>
          </a>,
          <code>{organization.slug}</code>,
          context.count(organization.members),
          <Ownership context={context} organization={organization} />,
          <Ago at={organization.createdAt} times={times} />,
        ])}
        empty={<Empty>{nothing(context, search)}</Empty>}
      />
      <Pager
        words={context.words.frame}
        label={words.pages}
        first={cursor === undefined ? undefined : href(listPath(beginning))}
        next={next === undefined ? undefined : href(listPath({ ...beginning, cursor: next }))}
      />
    </StaffPage>
  );
};
