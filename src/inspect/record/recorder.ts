import { timestamp, type Clock } from "../../core/clock.ts";
import { createRedactor, type Plain } from "../../observe/redact.ts";
import {
  explainsFailure,
  type InspectSource,
  type Recording,
  type Timeline,
  type TimelineEvent,
} from "../../observe/timeline.ts";
import type { Inspect, InspectEvent } from "./inspect.ts";
import type { InspectRow } from "./inspect.repository.ts";
import type { Spool } from "./spool.ts";

interface RecorderOptions {
  readonly timeline: Timeline;
  readonly spool: Spool;
  readonly app: string;
  /** The host and the process that write the inspects. */
  readonly instance: string;
  readonly secrets: readonly string[];
  readonly clock: Clock;
}

/** Facts about a recording that are known once it is over. */
export interface Ending {
  readonly name: string;
  readonly status: string;
  readonly failed: boolean;
  /** Why the work failed or was refused, as a word of a closed set. */
  readonly reason: string | undefined;
  readonly labels: Readonly<Record<string, string | number | null>>;
}

const longestName = 200;
const longestLabel = 500;
/** The most bytes of one inspect's events as JSON. */
const mostBytes = 64 * 1024;
/** The share of `mostBytes` that is kept for events that explain a failure. */
const reservedBytes = 16 * 1024;

const round = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000);

export type Recorder = ReturnType<typeof createRecorder>;

/** Ends recordings and makes rows of them, redacted and small enough to be stored. */
export function createRecorder({ timeline, spool, app, instance, secrets, clock }: RecorderOptions) {
  const redact = createRedactor(secrets);

  /** The text of a statement is the program's own and holds no secret. No other text is as long and as frequent. */
  const isStatement = ({ kind }: TimelineEvent, key: string): boolean => kind === "query" && key === "sql";

  function attributesOf(event: TimelineEvent): Record<string, Plain> {
    const entries = Object.entries(event.attributes);
    const clean = redact.fields(Object.fromEntries(entries.filter(([key]) => !isStatement(event, key))));
    const statement = event.kind === "query" ? event.attributes["sql"] : undefined;
    if (typeof statement === "string") return { sql: oneLine(statement), ...clean };
    if (Array.isArray(statement)) return { sql: statement.map((sql) => oneLine(String(sql))), ...clean };
    return clean;
  }

  function eventOf(event: TimelineEvent, seq: number, startedAt: number, epoch: number): InspectEvent {
    const offset = round(event.startedAt - startedAt);
    return {
      seq,
      at: timestamp(Math.round(epoch + offset)),
      offset_ms: offset,
      duration_ms: event.durationMs === undefined ? null : round(event.durationMs),
      kind: event.kind,
      level: event.level,
      name: redact.text(event.name, longestName),
      message: redact.text(event.message),
      attributes: attributesOf(event),
    };
  }

  /** Returns the events that fit. The last of the room is kept for events that explain a failure. */
  function withinBounds(recording: Recording, epoch: number): InspectEvent[] {
    const events: InspectEvent[] = [];
    let bytes = 0;
    let isFull = false;
    const inOrder = recording.events.toSorted((a, b) => a.startedAt - b.startedAt);
    for (const [index, event] of inOrder.entries()) {
      const explains = explainsFailure(event);
      if (isFull && !explains) continue;
      const written = eventOf(event, index + 1, recording.startedAt, epoch);
      const size = Buffer.byteLength(JSON.stringify(written));
      if (bytes + size > (explains ? mostBytes : mostBytes - reservedBytes)) {
        isFull = true;
        continue;
      }
      bytes += size;
      events.push(written);
    }
    return events;
  }

  function toRow(recording: Recording, ending: Ending, endedAt: number, epoch: number): InspectRow {
    const { traceId, spanId, parentId } = recording.trace();
    const { source } = recording;
    const { status, failed, reason = null } = ending;
    const durationMs = round(endedAt - recording.startedAt);
    const id = Bun.randomUUIDv7("hex", Math.round(epoch));
    const events = withinBounds(recording, epoch);
    const name = redact.text(ending.name, longestName);
    const labels: Record<string, string | number | null> = {};
    for (const [key, value] of Object.entries(ending.labels))
      labels[key] = typeof value === "string" ? redact.text(value, longestLabel) : value;
    const userIds = [...recording.users];
    const inspect: Inspect = {
      id,
      trace_id: traceId,
      span_id: spanId,
      parent_id: parentId ?? null,
      source,
      name,
      status,
      failed,
      reason,
      started_at: timestamp(Math.round(epoch)),
      ended_at: timestamp(Math.round(epoch + durationMs)),
      duration_ms: durationMs,
      app,
      instance,
      user_ids: userIds,
      labels,
      event_count: events.length,
      events_dropped: recording.dropped + recording.events.length - events.length,
      events,
    };
    const body = JSON.stringify(inspect);
    return { id, traceId, source, name, status, failed: failed ? 1 : 0, durationMs, userIds, body };
  }

  function end(recording: Recording, ending: Ending): void {
    const endedAt = performance.now();
    recording.ended = true;
    const epoch = clock.now() - (endedAt - recording.startedAt);
    spool.add({ failed: ending.failed, toRow: () => toRow(recording, ending, endedAt, epoch) });
  }

  return {
    hasRoom: spool.hasRoom,
    drop: spool.drop,
    end,

    /** Records work other than a request. Rejects as the work does. */
    async record<T>(
      source: Exclude<InspectSource, "http">,
      trace: Recording["trace"] | undefined,
      work: () => Promise<T>,
      ending: (result: { readonly value: T } | { readonly error: unknown }) => Ending,
    ): Promise<T> {
      const recording = timeline.begin({ source, startedAt: performance.now(), ...(trace && { trace }) });
      try {
        const value = await timeline.run(recording, work);
        end(recording, ending({ value }));
        return value;
      } catch (error) {
        timeline.add(recording, {
          kind: "error",
          level: "error",
          name: error instanceof Error ? error.name : "error",
          message: error instanceof Error ? error.message : String(error),
          attributes: { error },
          startedAt: performance.now(),
          durationMs: undefined,
        });
        end(recording, ending({ error }));
        throw error;
      }
    },
  };
}

const oneLine = (sql: string): string => sql.replace(/\s+/g, " ").trim();
