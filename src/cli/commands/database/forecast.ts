import type { Dialect } from "../../../drivers/database/index.ts";
import type { Forecast } from "../../../drivers/database/migration/forecast.ts";

const mostNamed = 3;
const tellFromSeconds = 1;
/** For so long a write of a service waits for the lock of a file. */
const refusedAfterSeconds = 5;

const inSeconds = (seconds: number): string => {
  if (seconds < 1) return `${Math.max(0.1, seconds).toFixed(1)} seconds`;
  const whole = Math.ceil(seconds);
  if (whole < 100) return whole === 1 ? "a second" : `${whole} seconds`;
  return `${Math.ceil(whole / 60)} minutes`;
};

const why: Readonly<Record<Dialect, string>> = {
  sqlite: "SQLite can't build an index in steps:",
  postgres:
    "indexes are built beside writes only where DB_URL goes to the server itself, and not through a pooler. By this one",
};

const inWords = (dialect: Dialect, { id, what, seconds }: NonNullable<Forecast["longest"]>): string =>
  `${why[dialect]} writes wait for one index at a time, about ${inSeconds(seconds)} for the longest ` +
  `(${what} of ${id}), and longer on a busy host. Reads do not wait` +
  (seconds < refusedAfterSeconds / 2
    ? ""
    : `; writes that wait for ${refusedAfterSeconds} seconds are refused with 503: choose a quiet hour, or switch maintenance on`);

/** Says how long migrations will take, and what waits for them meanwhile; nothing where that is over at once. */
export function forecastInWords({ count, dialect, seconds, tables, longest }: Forecast): readonly string[] {
  if (seconds < tellFromSeconds) return [];
  const named = tables.slice(0, mostNamed).map(({ table, rows }) => `${rows.toLocaleString("en")} rows of ${table}`);
  const through = `${named.join(", ")}${tables.length > mostNamed ? " and others" : ""}`;
  const about = inSeconds(seconds);
  return [
    (count === 1
      ? `this migration takes about ${about}: it goes through ${through}`
      : `these ${count} migrations take about ${about}: they go through ${through}`) +
      ". What serves goes on meanwhile",
    longest === undefined ? "no write waits for longer than a moment" : inWords(dialect, longest),
  ];
}
