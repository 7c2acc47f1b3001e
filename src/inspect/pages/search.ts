import { inspectSources } from "../../observe/timeline.ts";
import type { Search } from "../record/store.ts";

const shown = 100;

/** What a form of filters asks for: an empty field is no filter, and neither is one that makes no sense. */
export function readSearch(form: URLSearchParams): Search {
  const given = (name: string): string | undefined => form.get(name)?.trim().slice(0, 200) || undefined;
  const source = given("source");
  const outcome = given("outcome");
  const duration = Number(given("min_duration_ms") ?? Number.NaN);
  const trace = given("trace_id");
  return {
    source: inspectSources.find((known) => known === source),
    status: given("status"),
    failed: outcome === "failed" ? true : outcome === "fine" ? false : undefined,
    name: given("name"),
    text: given("text"),
    minDurationMs: duration >= 0 ? duration : undefined,
    traceId: trace !== undefined && /^[\da-f]{32}$/.test(trace) ? trace : undefined,
    before: given("before"),
    limit: shown,
  };
}
