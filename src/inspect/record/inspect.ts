import { t } from "elysia";
import { nullable, Timestamp } from "../../http/index.ts";
import { eventKinds, inspectSources } from "../../observe/timeline.ts";

export const InspectEvent = t.Object(
  {
    seq: t.Integer({ description: "Counts from 1" }),
    at: Timestamp,
    offset_ms: t.Number({ description: "After the start of the inspect" }),
    duration_ms: nullable(t.Number()),
    kind: t.UnionEnum(eventKinds),
    level: t.UnionEnum(["debug", "info", "warn", "error"]),
    name: t.String(),
    message: t.String(),
    attributes: t.Record(t.String(), t.Unknown()),
  },
  { title: "InspectEvent" },
);

const summary = {
  id: t.String(),
  trace_id: t.String({ description: "Shared by a request and the jobs that it enqueued (W3C Trace Context)" }),
  span_id: t.String(),
  parent_id: nullable(t.String()),
  source: t.UnionEnum(inspectSources),
  name: t.String(),
  status: t.String({ description: "The HTTP status; else done, failed, retried, archived or dropped" }),
  failed: t.Boolean(),
  reason: nullable(t.String({ description: "Why it was refused or failed: a word of a closed set" })),
  started_at: Timestamp,
  ended_at: Timestamp,
  duration_ms: t.Number(),
  app: t.String(),
  instance: t.String(),
  user_ids: t.Array(t.String(), { description: "The accounts that it is about: who asked, and whom it was done to" }),
  labels: t.Record(t.String(), t.Union([t.String(), t.Number(), t.Null()])),
  event_count: t.Integer(),
  events_dropped: t.Integer({ description: "Events for which there was no room" }),
};

export const InspectSummary = t.Object(summary, { title: "InspectSummary" });
export type InspectSummary = typeof InspectSummary.static;

/** The record of one request, job, run of a schedule or command. */
export const Inspect = t.Object({ ...summary, events: t.Array(InspectEvent) }, { title: "Inspect" });
export type Inspect = typeof Inspect.static;
export type InspectEvent = typeof InspectEvent.static;
