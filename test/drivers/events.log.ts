import type { EventLog } from "../../src/drivers/events/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Makes a log that keeps its lines, to be found by message. */
export function createEventLog() {
  const lines: { level: string; message: string; fields: Fields }[] = [];
  const at =
    (level: string) =>
    (message: string, fields: Fields = {}): void =>
      void lines.push({ level, message, fields });
  const of =
    (level: string) =>
    (message: string): Fields[] =>
      lines.filter((line) => line.level === level && line.message === message).map(({ fields }) => fields);
  const log: EventLog = { debug: at("debug"), warn: at("warn"), error: at("error") };
  return { log, errors: of("error"), warnings: of("warn") };
}

export type EventLogUnderTest = ReturnType<typeof createEventLog>;
