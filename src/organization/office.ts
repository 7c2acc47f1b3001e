import { foldedName } from "../auth/index.ts";
import { AppError } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { cursorOf, placeOf } from "../core/text/place.ts";
import type { MemberRepository } from "./member.repository.ts";
import type { FoundOrganization, OrganizationRepository } from "./organization.repository.ts";

interface OfficeOptions {
  readonly rows: OrganizationRepository;
  readonly memberRows: MemberRepository;
}

interface Query {
  /** The beginning of a name or a slug, or an id. */
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Longer than any name. */
const longestSearch = 320;
/** Sorts after every name. */
const pastAllNames = "\u{10ffff}";
const mostOwners = 100;

/** Returns the beginnings that a search looks for. What has no letter of a name in it is looked for among slugs alone. */
function prefixesOf(search: string): { readonly name: string; readonly slug: string } {
  const name = foldedName(search);
  return { name: name === "" && search !== "" ? pastAllNames : name, slug: search.toLowerCase() };
}

/** Finds organizations for staff and operators. */
export function createOffice({ rows, memberRows }: OfficeOptions) {
  return {
    /** Returns the organization with this id or slug. Throws `organization_not_found`. */
    async find(named: string): Promise<FoundOrganization> {
      const found = isId(named) ? await rows.byId(named) : await rows.bySlug(named);
      if (found === undefined) throw new AppError("organization_not_found");
      return found;
    },

    /** Returns a page by the names, and where a search finds slugs, by those. */
    async list({ search = "", cursor, limit }: Query) {
      const typed = search.trim();
      const after = placeOf(cursor);
      if (typed.length > longestSearch) return { organizations: [], next: undefined };
      if (isId(typed)) {
        const one = await rows.byId(typed);
        return { organizations: one === undefined ? [] : [one], next: undefined };
      }
      const found = await rows.matching(prefixesOf(typed), after, limit + 1);
      const last = found.length > limit ? found[limit - 1] : undefined;
      return { organizations: found.slice(0, limit), next: last && cursorOf(last) };
    },

    /** Returns the owners, the oldest accounts first, disabled ones too. */
    owners: (id: string) => memberRows.owners(id, mostOwners),

    /** Returns what the organizations with these ids are called. Those that were deleted are left out. */
    async namesOf(
      ids: Iterable<string>,
    ): Promise<ReadonlyMap<string, { readonly slug: string; readonly name: string }>> {
      const found = await rows.namesOf([...new Set(ids)]);
      return new Map(found.map(({ id, ...names }) => [id, names]));
    },
  };
}
