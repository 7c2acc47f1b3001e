import { AppError } from "../core/errors.ts";
import { errorResponse } from "./envelope.ts";

export interface Route {
  readonly method: string;
  readonly path: string;
}

export const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/**
 * The answer where no route matched (CONTRACT §1). `path` is that of the request. 405 says which methods there are; an
 * unknown path says nothing, outside the API not even in JSON.
 */
export function unroutedResponse(routes: readonly Route[], path: string, requestId: string): Response {
  const methods = methodsOf(routes, withoutLastSlash(path));
  if (methods.length > 0) {
    const response = errorResponse(new AppError("method_not_allowed"), requestId);
    response.headers.set("allow", methods.join(", "));
    return response;
  }
  return isApi(path) ? errorResponse(new AppError("not_found"), requestId) : new Response(null, { status: 404 });
}

function methodsOf(routes: readonly Route[], path: string): string[] {
  const methods = new Set<string>();
  for (const route of routes) {
    if (!matches(route.path, path)) continue;
    methods.add(route.method);
    if (route.method === "GET") methods.add("HEAD");
  }
  return [...methods].toSorted();
}

const matches = (pattern: string, path: string): boolean => createMatcher(pattern)(path.split("/"));

/** Whether a path, split at its slashes, belongs to the pattern. */
export function createMatcher(pattern: string): (given: readonly string[]) => boolean {
  const expected = pattern.split("/");
  if (expected.at(-1) !== "*") return (given) => expected.length === given.length && matchesEach(expected, given);
  const fixed = expected.slice(0, -1);
  return (given) => given.length >= expected.length && matchesEach(fixed, given);
}

/** The pattern that the path of a request belongs to, as the router has it: a parameter goes before a wildcard. */
export function createRouteFinder(routes: readonly Pick<Route, "path">[]): (path: string) => string | undefined {
  const patterns = [...new Set(routes.map(({ path }) => path))]
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((pattern) => ({ pattern, belongs: createMatcher(pattern) }));
  return (path) => {
    const given = withoutLastSlash(path).split("/");
    return patterns.find(({ belongs }) => belongs(given))?.pattern;
  };
}

/** The router takes a path with a slash at its end for the same one. */
const withoutLastSlash = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

const rankOf = (pattern: string): number => (pattern.endsWith("*") ? 2 : pattern.includes(":") ? 1 : 0);

const matchesEach = (expected: readonly string[], given: readonly string[]): boolean =>
  expected.every((part, index) => (part.startsWith(":") ? given[index] !== "" : part === given[index]));
