import { parseArgs } from "node:util";

export const usage = `Usage: bun run check [--full] [--postgres] [--part N/M | --part list | --part list/M]

Runs everything that a change must pass. The last line is the sum of the tests.

  --full           Besides, run every contract test both from the sources and against the binary, try all frameworks, and roll releases longer and behind both proxies
  --postgres       Besides, run every contract and property test and chaos on a PostgreSQL server
  --part N/M       Run the Nth of M parts, each on a machine of its own: together they are the whole check
  --part list/M    Print the M parts (3), what is in them and about how many seconds they take on two cores, and run nothing
  --results FOLDER Leave a report of each step's tests there (JUnit), for \`bun test/standards/write.ts FOLDER\`
  --help           Print this`;

/** One of several parts, counted from 1. */
export interface Part {
  readonly number: number;
  readonly of: number;
}

export interface CheckOptions {
  readonly full: boolean;
  readonly postgres: boolean;
  /** Undefined for the whole check. */
  readonly part: Part | undefined;
  /** The number of parts to list, in place of a run. */
  readonly list: number | undefined;
  /** Where reports of the tests are left. */
  readonly results: string | undefined;
}

/** With more parts the longest of them would take no less time, because a file is never divided. */
const mostParts = 8;
const usualParts = 3;

/** Reads the command line. Returns "help" if that is asked for, and undefined if there is anything that the check does not know. */
export function readArguments(args: readonly string[]): CheckOptions | "help" | undefined {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        full: { type: "boolean", default: false },
        postgres: { type: "boolean", default: false },
        part: { type: "string" },
        results: { type: "string" },
        help: { type: "boolean", default: false },
      },
    }));
  } catch {
    return undefined;
  }
  const { full, postgres, help, part: wanted, results } = values;
  if (help) return "help";
  if (wanted === undefined) return { full, postgres, part: undefined, list: undefined, results };
  const [, which = "", count] = /^(list|[1-9]\d?)(?:\/([1-9]\d?))?$/.exec(wanted) ?? [];
  const of = count === undefined ? usualParts : Number(count);
  if (of > mostParts) return undefined;
  if (which === "list") return { full, postgres, part: undefined, list: of, results };
  const number = Number(which);
  if (count === undefined || number > of || which === "") return undefined;
  return { full, postgres, part: { number, of }, list: undefined, results };
}
