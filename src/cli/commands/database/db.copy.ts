import { migrations } from "../../../../migrations/index.ts";
import { systemClock } from "../../../core/clock.ts";
import {
  copyRows,
  FlawedRows,
  openSource,
  openTarget,
  type CopyPlace,
  type CopyReport,
  type CopyStep,
} from "../../../drivers/database/copy/index.ts";
import { createMigrator } from "../../../drivers/database/migrate.ts";
import { describeDatabase, openDatabase } from "../../../drivers/database/open.ts";
import type { Log } from "../../../observe/index.ts";
import { table } from "../../terminal/columns.ts";
import { command, exitCode, UsageError, type ExitCode, type Terminal } from "../../command.ts";
import { readCopyPlace } from "./copy.place.ts";
import { readSettings } from "../../app/environment.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { createProgress } from "../../terminal/progress.ts";
import { recorded } from "../../app/recorded.ts";

export const copy = command({
  args: {
    from: {
      type: "string",
      required: true,
      valueHint: "DATABASE",
      description:
        "sqlite:PATH, or postgres for the database of DB_URL, postgres:NAME for a variable or postgres:/PATH for a file that " +
        "holds the URL: it has a password, which must not be an argument. Stop every process that uses this database first",
    },
    to: {
      type: "string",
      required: true,
      valueHint: "DATABASE",
      description: "Likewise: a database that holds nothing yet, to which migrate was applied",
    },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const settings = readSettings(definition, terminal);
    const { database } = settings.config;
    const from = readCopyPlace("from", args.from, { database, env: terminal.env });
    const to = readCopyPlace("to", args.to, { database, env: terminal.env });
    if (from.driver === to.driver) throw new UsageError("--from and --to take a SQLite file and a PostgreSQL database");
    return recorded(context, settings, async ({ log }) => {
      for (const place of [from, to]) await requireSchema(place, log);
      return interruptible((signal) => run({ from, to, signal, terminal, json: args.json === true }));
    });
  },
});

/** Rejects unless a database has exactly the schema of this release. */
async function requireSchema(place: CopyPlace, log: Log): Promise<void> {
  const { location, exists } = describeDatabase(place);
  if (!(await exists())) throw new Error(`${location} does not exist`);
  const { database } = openDatabase(place, { create: false, log });
  try {
    const states = await createMigrator({ database, migrations, clock: systemClock }).status();
    const other = states.find(({ state }) => state !== "applied");
    if (other === undefined) return;
    throw new Error(
      other.state === "pending"
        ? `${location} is not migrated: run the migrate command of this release on it first`
        : `${location}: the migration ${other.id} is ${other.state} to this release. Copy with the release that applied it`,
    );
  } finally {
    await database.close();
  }
}

interface RunOptions {
  readonly from: CopyPlace;
  readonly to: CopyPlace;
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
  readonly json: boolean;
}

async function run({ from, to, signal, terminal, json }: RunOptions): Promise<ExitCode> {
  const steps = {
    copying: createProgress(terminal, { doing: "copying", of: "rows" }),
    indexing: createProgress(terminal, { doing: "making indexes" }),
    comparing: createProgress(terminal, { doing: "comparing", of: "rows" }),
  };
  await using source = await openSource(from);
  await using target = await openTarget(to);
  try {
    const onProgress = (step: CopyStep, done: number, total: number): void => steps[step].show(done, total);
    const report = await copyRows({ source, target, signal, onProgress }).finally(() => {
      for (const progress of Object.values(steps)) progress.end();
    });
    terminal.out(json ? asJson(report, source.location, target.location) : inWords(report, target.location));
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof FlawedRows)) throw error;
    terminal.err(flawsInWords(error));
    return exitCode.failed;
  }
}

const asJson = ({ tables, wasThere }: CopyReport, from: string, to: string): string =>
  jsonLine({ from, to, was_there: wasThere, rows: rowsOf(tables), tables });

const rowsOf = (tables: CopyReport["tables"]): number => tables.reduce((sum, { rows }) => sum + rows, 0);

const wholeNumber = (count: number): string => count.toLocaleString("en");

function inWords({ tables, wasThere }: CopyReport, to: string): string {
  const rows = `${wholeNumber(rowsOf(tables))} rows`;
  const width = Math.max(4, ...tables.map((each) => wholeNumber(each.rows).length));
  const byName = tables.toSorted((a, b) => (a.table < b.table ? -1 : 1));
  return [
    table(byName, [
      { head: "table", of: (each) => each.table },
      { head: "rows".padStart(width), of: (each) => wholeNumber(each.rows).padStart(width) },
      { head: "SHA-256, the same on both sides", of: (each) => each.checksum.slice(0, 32) },
    ]),
    "",
    wasThere ? `${to} had all ${rows} already` : `${rows} copied to ${to}`,
    "start every process with this database from now on: what is written to the other one is not copied",
  ].join("\n");
}

function flawsInWords({ message, flaws, isCut }: FlawedRows): string {
  const rows = table(flaws, [
    { head: "table", of: (flaw) => flaw.table },
    { head: "row", of: ({ row }) => row },
    { head: "what is wrong", of: ({ complaint }) => complaint },
  ]);
  return [message, rows, ...(isCut ? ["and more"] : [])].join("\n");
}
