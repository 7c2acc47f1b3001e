import { migrations } from "../../../../migrations/index.ts";
import { isDeployed } from "../../../config/index.ts";
import { systemClock, timestamp } from "../../../core/clock.ts";
import { createMigrator, type MigrationStep, type Migrator } from "../../../drivers/database/migrate.ts";
import type { OpenedDatabase } from "../../../drivers/database/index.ts";
import { describeDatabase, openDatabase, requireDatabase } from "../../../drivers/database/open.ts";
import type { Log } from "../../../observe/index.ts";
import { command, exitCode, readCount, type CommandContext, type ExitCode } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { settingsOfExisting } from "../../app/with.app.ts";
import { jsonLine, jsonLines } from "../../terminal/json.ts";
import { createProgress } from "../../terminal/progress.ts";
import { recorded } from "../../app/recorded.ts";
import { unopenedDatabase } from "../../app/unopened.database.ts";
import { forecastInWords } from "./forecast.ts";

const mostSteps = 9_999;
const dryRun = { type: "boolean", description: "Change nothing, print the SQL that would be run" } as const;

export const migrate = command({
  args: {
    "dry-run": dryRun,
    step: { type: "string", valueHint: "N", description: "Apply at most N (default: all)" },
    create: { type: "boolean", description: "Make the database if there is none; local and testing need not be told" },
    json: jsonLines,
  },
  async run(context, args) {
    const step = args.step === undefined ? {} : { step: readCount("step", args.step, mostSteps) };
    const only = args["dry-run"] === true;
    const access = only ? "look" : args.create === true ? "create" : "create locally";
    return withMigrator(context, access, async (migrator, out) => {
      const print = printer(context, { json: args.json === true, dryRun: only, doing: "migrating", done: "applied" });
      for (const line of forecastInWords(await migrator.forecast(step.step))) context.terminal.err(line);
      const steps = await migrator.up({ dryRun: only, ...step, onStep: print.onStep }).finally(print.end);
      if (only) steps.forEach(print.show);
      if (steps.length === 0 && args.json !== true) out("nothing to migrate");
    });
  },
});

export const status = command({
  args: { json: jsonLines },
  async run(context, args) {
    return withMigrator(context, "look", async (migrator, out) => {
      const rows = (await migrator.status()).map((row) => ({ ...row, appliedAt: timestamp(row.appliedAt) }));
      for (const { id, kind, state, appliedAt } of rows) {
        const line = `${state.padEnd(7)}  ${id} (${kind})${appliedAt === null ? "" : `  ${appliedAt}`}`;
        out(args.json === true ? jsonLine({ id, kind, state, applied_at: appliedAt }) : line);
      }
      if (args.json !== true) for (const line of forecastInWords(await migrator.forecast())) out(line);
    });
  },
});

export const rollback = command({
  args: {
    "dry-run": dryRun,
    step: { type: "string", default: "1", valueHint: "N", description: "Undo the latest N" },
    json: jsonLines,
  },
  async run(context, args) {
    const step = readCount("step", args.step, mostSteps);
    return withMigrator(context, "open", async (migrator, out) => {
      const only = args["dry-run"] === true;
      const words = { doing: "rolling back", done: "rolled back" } as const;
      const print = printer(context, { json: args.json === true, dryRun: only, ...words });
      const steps = await migrator.down({ dryRun: only, step, onStep: print.onStep }).finally(print.end);
      if (only) steps.forEach(print.show);
      if (steps.length === 0 && args.json !== true) out("nothing to roll back");
    });
  },
});

interface PrinterOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  /** Verbs for progress and for completion: `migrating`, `applied`. */
  readonly doing: string;
  readonly done: string;
}

/** Prints each migration as soon as it is committed, and the progress below them. */
function printer({ terminal }: CommandContext, { json, dryRun, doing, done: verb }: PrinterOptions) {
  const progress = createProgress(terminal, { doing });
  function show({ id, kind, sql }: MigrationStep): void {
    if (json) terminal.out(jsonLine({ id, kind, ...(dryRun && { sql }) }));
    else terminal.out(dryRun ? `-- ${id}\n${sql}` : `${verb} ${id} (${kind})`);
  }
  return {
    show,
    end: progress.end,
    onStep(step: MigrationStep, done: number, total: number): void {
      progress.end();
      show(step);
      if (done < total) progress.show(done, total);
    },
  };
}

/**
 * How to treat a database that does not exist. `create` makes it, `create locally` only in local and testing, `open` refuses, and `look`
 * takes it for empty.
 */
type Access = "create" | "create locally" | "open" | "look";

type Opened = Pick<OpenedDatabase, "database" | "indexing">;

async function withMigrator(
  context: CommandContext,
  access: Access,
  act: (migrator: Migrator, out: (text: string) => void) => Promise<void>,
): Promise<ExitCode> {
  const { definition, terminal } = context;
  const settings =
    access === "open"
      ? await settingsOfExisting(definition, terminal)
      : readSettings(definition, terminal, { onlyLooks: access === "look" });
  const { config } = settings;
  const run = async (open: () => Opened): Promise<ExitCode> => {
    const { database, indexing } = open();
    try {
      await act(createMigrator({ database, migrations, clock: systemClock, indexing }), (text) => terminal.out(text));
      return exitCode.done;
    } finally {
      await database.close();
    }
  };
  if (access === "look" && !(await describeDatabase(config.database).exists()))
    return run(() => ({ database: { ...unopenedDatabase(config.database.driver).database, all: async () => [] } }));
  const create = access === "create" || (access === "create locally" && !isDeployed(config));
  // Checked before the inspects are opened, so that a mistyped path leaves no folder behind.
  if (!create) await requireDatabase(config.database);
  const open = (log: Log): Opened => openDatabase(config.database, { name: "default", create, patient: true, log });
  if (access === "look") return run(() => open(settings.log));
  return recorded(context, settings, ({ log, watch }) =>
    run(() => {
      const opened = open(log);
      return { ...opened, database: watch(opened.database) };
    }),
  );
}
