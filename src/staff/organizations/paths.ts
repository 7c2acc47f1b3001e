import { isId } from "../../core/ids.ts";
import { withQuery } from "../../http/pages/parts/list.tsx";

export const organizationsPath = "/organizations";
export const newPath = `${organizationsPath}/new`;

/** Returns the path of an organization's page. A text that is no id leads to the list. */
export const pathOf = (id: string): string => (isId(id) ? `${organizationsPath}/${id}` : organizationsPath);

export interface Search {
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
}

const longestSearch = 320;
const longestCursor = 2_048;

/** Reads the query of the list. A value that is empty filters nothing. */
export function readSearch(query: URLSearchParams): Search {
  const textOf = (name: string, most: number) => query.get(name)?.trim().slice(0, most) || undefined;
  return { search: textOf("search", longestSearch), cursor: textOf("cursor", longestCursor) };
}

export const listPath = (search: Search): string => withQuery(organizationsPath, { ...search });

/** Reads roles as they are typed, with commas or spaces between them. */
export const typedRoles = (text: string | null): readonly string[] =>
  (text ?? "").split(/[\s,]+/).filter((role) => role !== "");
