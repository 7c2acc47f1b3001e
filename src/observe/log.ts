import type { Clock } from "../core/clock.ts";
import type { Log, LogFields, LogLevel } from "./index.ts";
import { createRedactor, type Plain } from "./redact.ts";

interface LogOptions {
  readonly format: "console" | "json";
  /** Entries below this level are dropped before anything is formatted. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Configured values that are masked wherever they turn up. */
  readonly secrets?: readonly string[];
  /** Gets one line without its end. Standard output by default. */
  readonly write?: (line: string) => void;
}

type Fields = Readonly<Record<string, Plain>>;

const rank = { debug: 0, info: 1, warn: 2, error: 3 } as const;
const reserved = new Set(["time", "level", "message"]);
const bare = /^[^\s"=\\]+$/;

const writeLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Renames a field that would pass itself off as the entry's own time, level or message. */
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

/** Writes one line for each entry, whatever is in it. Never throws. */
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
          // The pipe that the log goes to was closed. What was being logged about must go on all the same.
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
