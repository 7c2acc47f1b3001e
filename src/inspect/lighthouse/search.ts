import { isId } from "../../core/ids.ts";
import { inspectSources } from "../../observe/timeline.ts";
import type { Search } from "../record/store.ts";

const appNames = ["app", "admin"] as const;
const pageSize = 100;
/** The longest filter; no field of the form is longer. */
const longestFilter = 200;

/** Reads the search from a form of filters. A field that is empty, or makes no sense, filters nothing. */
export function readSearch(form: URLSearchParams): Search {
  const valueOf = (name: string): string | undefined => form.get(name)?.trim().slice(0, longestFilter) || undefined;
  const app = valueOf("app");
  const source = valueOf("source");
  const outcome = valueOf("outcome");
  const duration = Number(valueOf("min_duration_ms") ?? Number.NaN);
  const trace = valueOf("trace_id");
  const user = valueOf("user");
  return {
    app: appNames.find((known) => known === app),
    source: inspectSources.find((known) => known === source),
    status: valueOf("status"),
    failed: outcome === "failed" ? true : outcome === "fine" ? false : undefined,
    name: valueOf("name"),
    text: valueOf("text"),
    minDurationMs: duration >= 0 ? duration : undefined,
    traceId: trace !== undefined && /^[\da-f]{32}$/.test(trace) ? trace : undefined,
    userId: user !== undefined && isId(user) ? user : undefined,
    before: valueOf("before"),
    limit: pageSize,
  };
}
