import type { Clock } from "../core/clock.ts";
import type { Log, LogFields, LogLevel } from "./index.ts";
import { createRedactor, type Plain } from "./redact.ts";

interface LogOptions {
  readonly format: "console" | "json";
  /** Lines below it are dropped before anything is formatted. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Values that must not come out wherever they turn up. */
  readonly secrets: readonly string[];
  /** Gets one line without its end. Standard output by default. */
  readonly write?: (line: string) => void;
}

const rank = { debug: 0, info: 1, warn: 2, error: 3 } as const;

/** One line an entry, whatever is in it. */
export function createLog({ format, level, clock, secrets, write = (line) => console.log(line) }: LogOptions): Log {
  const redact = createRedactor(secrets);
  const lowest = rank[level];

  const asJson = (time: string, at: LogLevel, message: string, fields: Readonly<Record<string, Plain>>): string =>
    JSON.stringify({ time, level: at, message, ...fields });

  const asText = (time: string, at: LogLevel, message: string, fields: Readonly<Record<string, Plain>>): string => {
    const pairs = Object.entries(fields).map(
      ([key, value]) => `${key}=${typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`,
    );
    return [time, at.toUpperCase().padEnd(5), message, ...pairs].join(" ");
  };
  const render = format === "json" ? asJson : asText;

  function createWith(context: LogFields): Log {
    const at =
      (entryLevel: LogLevel) =>
      (message: string, fields: LogFields = {}): void => {
        if (rank[entryLevel] < lowest) return;
        const time = new Date(clock.now()).toISOString();
        write(render(time, entryLevel, redact.text(message), redact.fields(context, fields)));
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
