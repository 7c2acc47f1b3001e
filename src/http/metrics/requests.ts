import { createRequestDurations, type HttpFigures, type RouteFigures } from "../../observe/metrics/http.ts";
import { createMatcher, type Route, withoutLastSlash } from "../routing/routing.ts";

/** Counts every answer. Every request calls it, so it only looks up two cells and counts in plain numbers. */
export interface RequestMetrics {
  /** `path` is the path of the request without its query; `startedAt` is a value of `performance.now()`. */
  answered(method: string, path: string, status: number, startedAt: number): void;
}

interface Cell extends RouteFigures {
  readonly answers: number[];
}

/** The cells of one route pattern, by method. */
interface Row {
  readonly pattern: string;
  readonly cells: Map<string, Cell>;
}

const methods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
]);
/** Labels for a method that HTTP does not have, and for a path that no route has: a client may make up any number of both. */
const otherMethod = "other";
const unmatched = "unmatched";

const statuses = 600;

const isOpen = (pattern: string): boolean => /\/(?::|\*$)/.test(pattern);

/** Counts answers by route pattern, method and status. All three are closed sets, so that no client can add a series. */
export function createRequestMetrics(routes: readonly Route[]): RequestMetrics & Pick<HttpFigures, "routes"> {
  const patterns = [...new Set(routes.map(({ path }) => path))];
  const rowOf = (pattern: string): Row => ({ pattern, cells: new Map() });
  const fixed = new Map(patterns.filter((pattern) => !isOpen(pattern)).map((pattern) => [pattern, rowOf(pattern)]));
  // Patterns with a wildcard come last, as the router prefers those with a parameter.
  const open = patterns
    .filter(isOpen)
    .toSorted((a, b) => Number(a.endsWith("*")) - Number(b.endsWith("*")))
    .map((pattern) => ({ belongs: createMatcher(pattern), row: rowOf(pattern) }));
  const elsewhere = rowOf(unmatched);

  function find(path: string): Row {
    const bare = withoutLastSlash(path);
    const parts = bare.split("/");
    return fixed.get(bare) ?? open.find(({ belongs }) => belongs(parts))?.row ?? elsewhere;
  }

  function add(row: Row, method: string): Cell {
    const known = methods.has(method) ? method : otherMethod;
    const cell = row.cells.get(known) ?? {
      method: known,
      route: row.pattern,
      answers: Array<number>(statuses).fill(0),
      durations: createRequestDurations(),
    };
    row.cells.set(known, cell);
    return cell;
  }

  return {
    answered(method, path, status, startedAt) {
      const row = fixed.get(path) ?? find(path);
      const { answers, durations } = row.cells.get(method) ?? add(row, method);
      answers[status] = (answers[status] ?? 0) + 1;
      durations.observe((performance.now() - startedAt) / 1000);
    },
    routes: () =>
      [...fixed.values(), ...open.map(({ row }) => row), elsewhere].flatMap(({ cells }) => [...cells.values()]),
  };
}
