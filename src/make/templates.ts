/** What is made of one kind. `@name@` and the like stand for names that were checked. */
interface Template {
  /** Texts by their paths from the root of the tree. */
  readonly files: Readonly<Record<string, string>>;
  /** Lines that a person has to add, where a machine would have to guess the place. */
  readonly additions: readonly (readonly [place: string, line: string])[];
}

/** A module in the table of all modules, listed by both apps, which share one database. */
const registered = (module: string, imported: string, made: string): Template["additions"] => [
  ["src/app/modules.ts, its imports", imported],
  ["src/app/modules.ts, `modules`", `"${module}": ${made},`],
  ["src/main.ts, `modules`", `"${module}",`],
  ["src/admin.ts, `modules`", `"${module}",`],
];

const job = `
import { Type, type Static } from "@sinclair/typebox";
import { checkedHandler, type Job, type JobHandler } from "../core/job.ts";
import type { Log } from "../observe/index.ts";

/** A contract that outlives a release: what is queued under it must be understood by the next one. */
export const @camel@JobName = "@name@";

/** Stored in the clear: ids, never a secret. */
const @pascal@Payload = Type.Object({ id: Type.String({ maxLength: 64 }) });

export const @camel@Job = (payload: Static<typeof @pascal@Payload>): Job => ({ name: @camel@JobName, payload });

interface @pascal@JobOptions {
  readonly log: Log;
}

/** Idempotent: a killed worker's job is run again. */
export const create@pascal@Job = ({ log }: @pascal@JobOptions): JobHandler =>
  checkedHandler(@pascal@Payload, async ({ id }, { signal }) => {
    signal.throwIfAborted();
    log.info("@name@ was asked for", { id });
  });
`;

const schedule = `
import type { Schedule } from "../core/module.ts";
import type { Log } from "../observe/index.ts";

interface @pascal@ScheduleOptions {
  readonly log: Log;
}

/** Runs once a tick among all processes, and never beside itself. Heeds its signal: a stop doesn't wait for it. */
export const create@pascal@Schedule = ({ log }: @pascal@ScheduleOptions): Schedule => ({
  name: "@name@",
  cron: "23 * * * *",
  async run(signal) {
    signal.throwIfAborted();
    log.info("@name@ is due");
  },
});
`;

const event = `
import type { EventBus } from "../drivers/events/index.ts";
import type { Log } from "../observe/index.ts";

interface @pascal@EventOptions {
  readonly events: EventBus;
  readonly log: Log;
}

/** Told after the change was committed: at most once, by a bus that processes share at least once. Call the result to end the subscription. */
export const subscribeTo@pascal@ = ({ events, log }: @pascal@EventOptions): (() => void) =>
  events.subscribe(
    "@topic@",
    (event) => log.info("@topic@ was told", { event: event.id, id: event.payload.id }),
    "@group@-@action@",
  );
`;

const command = `
import { command, exitCode } from "../command.ts";
import { readSettings } from "../app/environment.ts";
import { jsonLine, jsonObject } from "../terminal/json.ts";

/** Opens nothing but its configuration. */
export const @camel@Command = command({
  args: { json: jsonObject },
  async run({ definition, terminal }, args) {
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    const report = { app: config.app.name, env: config.app.env };
    terminal.out(args.json === true ? jsonLine(report) : \`\${report.app} in \${report.env}\`);
    return exitCode.done;
  },
});
`;

const table = "-- additive\ncreate table @table@ (\n  id text primary key,\n  created_at bigint not null\n);\n";

export const templates = {
  job: {
    files: { "src/@group@/@action@.job.ts": job },
    additions: [
      ...registered(
        "@group@-@action@-job",
        `import { create@pascal@Job, @camel@JobName } from "../@group@/@action@.job.ts";`,
        "({ log }) => ({ jobs: { [@camel@JobName]: create@pascal@Job({ log }) } })",
      ),
      ["src/docs/operate/jobs.md, its table", "| `@name@` | when it is asked for | logs its payload |"],
    ],
  },
  event: {
    files: { "src/@group@/@action@.event.ts": event },
    additions: [
      // Ids, never a secret: subscribers of other releases read what is published, too.
      ["src/core/topics.ts, `topics`", `"@topic@": Type.Object({ id }),`],
      ["src/words/english/staff/reasons/actions.ts, `actions`", `"@topic@": "It has happened",`],
      ["src/words/staff.de.json, its beginning", `"staff.reasons.actions.@topic@": "Es ist geschehen",`],
      ...registered(
        "@group@-@action@-event",
        `import { subscribeTo@pascal@ } from "../@group@/@action@.event.ts";`,
        "({ resources: { events }, log }) => ({ close: subscribeTo@pascal@({ events, log }) })",
      ),
      ["src/docs/reference/events.md, its table", "| `@topic@` | `id` | it has happened |"],
    ],
  },
  schedule: {
    files: { "src/@group@/@action@.schedule.ts": schedule },
    additions: [
      ...registered(
        "@group@-@action@-schedule",
        `import { create@pascal@Schedule } from "../@group@/@action@.schedule.ts";`,
        "({ log }) => ({ schedules: [create@pascal@Schedule({ log })] })",
      ),
      ["src/docs/operate/jobs.md, its table", "| `@name@` | hourly | logs that it is due |"],
    ],
  },
  command: {
    files: { "src/cli/commands/@group@.@action@.ts": command },
    additions: [
      [
        "src/cli/table.ts, the group that it belongs to",
        `"@name@": entry("Show app and environment", () => import("./commands/@group@.@action@.ts"), "@camel@Command"),`,
      ],
      ["src/docs/reference/commands.md, its table", "| `@name@` | Show app and environment |"],
    ],
  },
  migration: {
    files: { "migrations/@id@.up.sql": table, "migrations/@id@.down.sql": "drop table @table@;\n" },
    additions: [
      ["migrations/index.ts, its imports", `import @variable@Down from "./@id@.down.sql" with { type: "text" };`],
      ["migrations/index.ts, its imports", `import @variable@ from "./@id@.up.sql" with { type: "text" };`],
      ["migrations/index.ts, the end of `migrations`", `{ id: "@id@", up: @variable@, down: @variable@Down },`],
    ],
  },
} as const satisfies Readonly<Record<"job" | "event" | "schedule" | "command" | "migration", Template>>;
