import type { LogFields, LogLevel, LogOn } from "../core/log.ts";

export type { LogFields, LogLevel } from "../core/log.ts";

/** The structured log. Secrets are masked by key, by pattern and by value before a line is written. */
export interface Log extends LogOn<LogLevel> {
  /** Returns a log that adds the fields to every line. */
  with(fields: LogFields): Log;
}
