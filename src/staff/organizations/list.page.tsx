/** @jsxImportSource #html */
import type { FoundOrganization } from "../../organization/index.ts";
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

const nothing = ({ search, cursor }: Search) => {
  if (cursor !== undefined) return <>There is none further on.</>;
  if (search === undefined)
    return <>There is no organization yet. People make them in your app, and you make them here.</>;
  return (
    <>
      No organization has a name or a slug that begins with “<Chosen>{search}</Chosen>”, or that id.
    </>
  );
};

export const ListPage = ({ context, search, organizations, next }: ListProps) => {
  const { href, times } = context;
  const { cursor, ...beginning } = search;
  return (
    <StaffPage context={context} title="Organizations" at={organizationsPath}>
      <div class="heading">
        <h1 id="organizations">Organizations</h1>
        {context.may("organizations.change") && <a href={href(newPath)}>Make one</a>}
      </div>
      <SearchForm
        context={context}
        action={href(organizationsPath)}
        name="Find organizations"
        label="Find an organization"
        hint="The beginning of a name or a slug, or an id"
        search={search.search}
      />
      <Table
        labelledBy="organizations"
        columns={["Name", "Slug", "Members", "Owners", "Since"]}
        rows={organizations.map((organization) => [
          <a class="named" href={href(pathOf(organization.id))}>
            <Chosen>{organization.name}</Chosen>
          </a>,
          <code>{organization.slug}</code>,
          organization.members.toLocaleString("en"),
          <Ownership organization={organization} />,
          <Ago at={organization.createdAt} times={times} />,
        ])}
        empty={<Empty>{nothing(search)}</Empty>}
      />
      <Pager
        words={context.words.frame}
        label="organizations"
        first={cursor === undefined ? undefined : href(listPath(beginning))}
        next={next === undefined ? undefined : href(listPath({ ...beginning, cursor: next }))}
      />
    </StaffPage>
  );
};
