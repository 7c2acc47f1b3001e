import type { Clock } from "../core/clock.ts";
import type { Log, LogFields, LogLevel } from "./index.ts";
import { createRedactor, type Plain } from "./redact.ts";

interface LogOptions {
  readonly format: "console" | "json";
  /** Entries below this level are dropped before anything is formatted. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Configured values that are masked wherever they appear. */
  readonly secrets?: readonly string[];
  /** Writes one line, which comes without a line break. Default: to standard output. */
  readonly write?: (line: string) => void;
}

type Fields = Readonly<Record<string, Plain>>;

const rank = { debug: 0, info: 1, warn: 2, error: 3 } as const;
const reserved = new Set(["time", "level", "message"]);
const bare = /^[^\s"=\\]+$/;

const writeLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Renames a field that would otherwise pass for the entry's own time, level or message. */
const apart = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [reserved.has(key) ? `field_${key}` : key, value]));

const asJson = (time: string, level: LogLevel, message: string, fields: Fields): string =>
  JSON.stringify({ time, level, message, ...apart(fields) });

function asText(time: string, level: LogLevel, message: string, fields: Fields): string {
  const show = (value: Plain): string => {
    if (typeof value !== "string") return JSON.stringify(value);
    return bare.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`;
  };
  const pairs = Object.entries(apart(fields)).map(([key, value]) => `${key}=${show(value)}`);
  return [time, level.toUpperCase().padEnd(5), message, ...pairs].join(" ");
}

/** Creates a log that writes one line for each entry, whatever the entry holds. Logging never throws. */
export function createLog({ format, level, clock, secrets = [], write = writeLine }: LogOptions): Log {
  const redact = createRedactor(secrets);
  const lowest = rank[level];
  const render = format === "json" ? asJson : asText;

  function createWith(context: LogFields): Log {
    const at =
      (entryLevel: LogLevel) =>
      (message: string, fields: LogFields = {}): void => {
        if (rank[entryLevel] < lowest) return;
        try {
          const time = new Date(clock.now()).toISOString();
          write(render(time, entryLevel, redact.text(message), redact.fields(context, fields)));
        } catch {
          // The reader of the log has closed the pipe. The work that was being logged must go on.
        }
      };
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => createWith({ ...context, ...fields }),
    };
  }
  return createWith({});
}
