import { openDeadLetters } from "../../../app/resources/dead.letters.ts";
import { openConfiguredQueues } from "../../../app/resources/queues.ts";
import { secretValues, type Config } from "../../../config/index.ts";
import { systemClock, timestamp } from "../../../core/clock.ts";
import { parseDuration } from "../../../core/text/duration.ts";
import { isId } from "../../../core/ids.ts";
import { isName } from "../../../core/naming.ts";
import type { Database } from "../../../drivers/database/index.ts";
import { hasTable } from "../../../drivers/database/catalogue.ts";
import { openDatabase } from "../../../drivers/database/open.ts";
import type { DeadLetters } from "../../../drivers/queue/index.ts";
import { createRedactor } from "../../../observe/redact.ts";
import { defaultWidth, harmless, wrapped } from "../../terminal/columns.ts";
import { command, exitCode, readCount, UsageError, type CommandContext, type ExitCode } from "../../command.ts";
import { settingsOfExisting } from "../../app/with.app.ts";
import { jsonLine, jsonLines, jsonObject } from "../../terminal/json.ts";
import { recorded } from "../../app/recorded.ts";
import { clockForbids, force } from "../../app/doubtful.clock.ts";

type FailedJob = Awaited<ReturnType<DeadLetters["list"]>>[number];

const mostListed = 10_000;

const jobName = { type: "string", valueHint: "JOB", description: "Only jobs of this name" } as const;

export const failed = command({
  args: {
    name: jobName,
    limit: { type: "string", default: "50", valueHint: "N", description: "At most so many, the latest first" },
    json: jsonLines,
  },
  async run(context, args) {
    const name = readName(args.name);
    const limit = readCount("limit", args.limit, mostListed);
    return withDeadLetters(context, async (deadLetters, config) => {
      const redact = createRedactor(secretValues(config));
      const rows = (await deadLetters.list({ name, limit })).map((job) => present(job, redact.text));
      const { out, err } = context.terminal;
      const own = context.definition.name;
      if (rows.length === limit && args.json !== true) err(`the latest ${limit}, there may be more: see --limit`);
      if (args.json === true) for (const row of rows) out(jsonLine(row));
      else out(rows.length === 0 ? "no failed jobs" : inWords(rows, own, context.terminal.columns));
      return exitCode.done;
    });
  },
});

export const retry = command({
  args: {
    id: { type: "positional", required: false, description: "Ids of failed jobs, as queue:failed lists them" },
    name: jobName,
    all: { type: "boolean", description: "Every failed job" },
    json: jsonObject,
  },
  variadic: true,
  async run(context, args) {
    const ids = [...new Set(args._)];
    const name = readName(args.name);
    const ways = [ids.length > 0, name !== undefined, args.all === true].filter(Boolean).length;
    if (ways !== 1) throw new UsageError("give either the ids of jobs, --name or --all");
    const wrong = ids.find((id) => !isId(id));
    if (wrong !== undefined) throw new UsageError(`${JSON.stringify(wrong)} is not the id of a job`);
    return withDeadLetters(context, async (deadLetters) => {
      const { out, err } = context.terminal;
      const report = (retried: number): void =>
        out(args.json === true ? jsonLine({ retried }) : `${counted(retried)} to be tried again`);
      if (ids.length === 0) {
        report(await deadLetters.retryAll(name));
        return exitCode.done;
      }
      const missing: string[] = [];
      for (const id of ids) if (!(await deadLetters.retry(id))) missing.push(id);
      report(ids.length - missing.length);
      for (const id of missing) err(`${id} is no failed job`);
      return missing.length === 0 ? exitCode.done : exitCode.failed;
    });
  },
});

export const prune = command({
  args: {
    "older-than": {
      type: "string",
      valueHint: "DURATION",
      description: "Such as 168h (default: QUEUE_RETENTION)",
    },
    force,
    json: jsonObject,
  },
  async run(context, args) {
    const olderThanMs = args["older-than"] === undefined ? undefined : readDuration(args["older-than"]);
    return withDeadLetters(context, async (deadLetters, config, database) => {
      if (await clockForbids(context.terminal, database, args.force)) return exitCode.failed;
      const pruned = await deadLetters.prune(systemClock.now() - (olderThanMs ?? config.queue.retentionMs));
      context.terminal.out(args.json === true ? jsonLine({ deleted: pruned }) : `${counted(pruned)} deleted`);
      return exitCode.done;
    });
  },
});

const present = (job: FailedJob, redacted: (text: string) => string) => ({
  id: job.id,
  app: job.app,
  name: job.name,
  queue: job.queue,
  attempts: job.attempts,
  failed_at: timestamp(job.failedAt),
  error: redacted(job.error),
});

/** Prints two or more lines a job: its id, which queue:retry takes, is as wide as half a terminal. */
const inWords = (jobs: readonly ReturnType<typeof present>[], own: string, width = defaultWidth): string =>
  jobs
    .flatMap(({ id, app, name, queue, attempts, failed_at: at, error }) => [
      `${id}  ${at}`,
      ...wrapped(
        harmless(`${name} (${app === own ? queue : `${queue} of ${app}`})  ${attempts} attempts: ${error}`),
        width - indent.length,
      ).map((line) => indent + line),
    ])
    .join("\n");
const indent = "  ";

const counted = (count: number): string => `${count} ${count === 1 ? "job" : "jobs"}`;

function readName(name: string | undefined): string | undefined {
  if (name !== undefined && !isName("job", name)) throw new UsageError(`${JSON.stringify(name)} is not a job's name`);
  return name;
}

function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new UsageError("--older-than takes a duration such as 168h");
  return ms;
}

async function withDeadLetters(
  context: CommandContext,
  act: (deadLetters: DeadLetters, config: Config, database: Database) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { definition, terminal } = context;
  const settings = await settingsOfExisting(definition, terminal);
  const { config } = settings;
  return recorded(context, settings, async ({ log, watch }) => {
    const database = watch(openDatabase(config.database, { create: false, log }).database);
    let queues: ReturnType<typeof openConfiguredQueues> | undefined;
    try {
      if (!(await hasTable(database, "jobs"))) {
        terminal.err("the database is not migrated: run the migrate command");
        return exitCode.failed;
      }
      const parts = { config, database, clock: systemClock };
      queues = openConfiguredQueues({ ...parts, log, handlers: () => new Map(), queueOf: () => "default" });
      return await act(openDeadLetters({ ...parts, wake: queues.wake }), config, database);
    } finally {
      await queues?.close();
      await database.close();
    }
  });
}
