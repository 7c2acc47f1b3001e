import { registerName } from "../../core/naming.ts";
import type { Route } from "./routing.ts";

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
