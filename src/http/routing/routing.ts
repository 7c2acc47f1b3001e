import { AppError } from "../../core/errors.ts";
import { errorResponse } from "../response/envelope.ts";
import { registerName } from "../../core/naming.ts";

export interface Route {
  readonly method: string;
  readonly path: string;
}

export const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/**
 * Answers a request that no route matched. A path with other methods gets 405 and their names. An unknown path gets 404, in the error
 * envelope below `/api` and without a body elsewhere.
 */
export function unroutedResponse(methods: readonly string[], path: string, requestId: string): Response {
  if (methods.length > 0) {
    const response = errorResponse(new AppError("method_not_allowed"), requestId);
    response.headers.set("allow", methods.join(", "));
    return response;
  }
  return isApi(path) ? errorResponse(new AppError("not_found"), requestId) : new Response(null, { status: 404 });
}

/**
 * Returns a function that finds the methods of a path, in alphabetical order; none where no route has the path. It splits a path once,
 * however many routes there are.
 */
export function createMethodFinder(routes: readonly Route[]): (path: string) => readonly string[] {
  const patterns = Map.groupBy(routes, ({ path }) => path);
  const takers = [...patterns].map(([path, alike]) => ({
    belongs: createMatcher(path),
    methods: alike.flatMap(({ method }) => (method === "GET" ? [method, "HEAD"] : [method])),
  }));
  return (path) => {
    const parts = withoutLastSlash(path).split("/");
    const methods = takers.filter(({ belongs }) => belongs(parts)).flatMap((taker) => taker.methods);
    return [...new Set(methods)].toSorted();
  };
}

/**
 * Returns whether a path, split at its slashes, belongs to the pattern. `:name` stands for one part, `*` at the end for any number of
 * parts.
 */
export function createMatcher(pattern: string): (parts: readonly string[]) => boolean {
  const expected = pattern.split("/");
  if (expected.at(-1) !== "*") return (parts) => expected.length === parts.length && matchesEach(expected, parts);
  const fixed = expected.slice(0, -1);
  return (parts) => parts.length >= expected.length && matchesEach(fixed, parts);
}

/**
 * Returns a function that finds the pattern of a path. Where several fit, the router prefers one without parameters, and takes one with a
 * wildcard last.
 */
export function createRouteFinder(routes: readonly Pick<Route, "path">[]): (path: string) => string | undefined {
  const patterns = [...new Set(routes.map(({ path }) => path))]
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((pattern) => ({ pattern, belongs: createMatcher(pattern) }));
  return (path) => {
    const parts = withoutLastSlash(path).split("/");
    return patterns.find(({ belongs }) => belongs(parts))?.pattern;
  };
}

/** Removes a slash at the end, which makes no difference to the router. */
export const withoutLastSlash = (path: string): string =>
  path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;

const rankOf = (pattern: string): number => (pattern.endsWith("*") ? 2 : pattern.includes(":") ? 1 : 0);

const matchesEach = (expected: readonly string[], parts: readonly string[]): boolean =>
  expected.every((part, index) => (part.startsWith(":") ? parts[index] !== "" : part === parts[index]));

/**
 * Returns the shape of a route. Two routes of one shape answer the same requests: names of parameters make no difference, nor does a slash
 * at the end.
 */
const shapeOf = ({ method, path }: Route): string =>
  `${method} ${path.replaceAll(/:[^/]*/g, ":").replace(/(?<=.)\/$/, "")}`;

/**
 * Throws on a parameter's name that breaks its convention, and on two routes for the same requests. Of two routes with the very same path
 * Elysia keeps the later one and hides the other, so test/architecture.test.ts looks for those.
 */
export function checkRoutes(routes: readonly Route[]): void {
  const taken = new Map<string, Route>();
  for (const route of routes) {
    const named = `${route.method} ${route.path}`;
    const parameters = new Set<string>();
    for (const part of route.path.split("/").filter((part) => part.startsWith(":"))) {
      const name = part.slice(1);
      try {
        registerName("parameter", name, parameters);
      } catch (cause) {
        throw new Error(`route ${named}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
      parameters.add(name);
    }
    const other = taken.get(shapeOf(route));
    if (other !== undefined) throw new Error(`route ${named} is registered twice, as ${other.path} before`);
    taken.set(shapeOf(route), route);
  }
}
