import type { Identity } from "./names.ts";

/** What a template gives. Paths are relative to the root of the tree. */
export interface Plan {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Lines that a person has to add, where a machine would have to guess the place. */
  readonly additions: readonly (readonly [place: string, line: string])[];
}

/** A whole file. Only identifiers and names that were checked are filled in. */
const file = (path: string, text: string): Plan["files"][number] => ({ path, text: text.replace(/^\n/, "") });

/** A module in the table of all modules, listed by both apps, which share one database. */
const registered = (module: string, imported: string, made: string): Plan["additions"] => [
  ["src/app/modules.ts, its imports", imported],
  ["src/app/modules.ts, `modules`", `"${module}": ${made},`],
  ["src/main.ts, `modules`", `"${module}",`],
  ["src/admin.ts, `modules`", `"${module}",`],
];

export function planJob({ group, action, name, camel, pascal }: Identity): Plan {
  return {
    files: [
      file(
        `src/${group}/${action}.job.ts`,
        `
import { Type, type Static } from "@sinclair/typebox";
import { checkedHandler, type Job, type JobHandler } from "../core/job.ts";
import type { Log } from "../observe/index.ts";

/** A contract that outlives a release: what is queued under it must be understood by the next one. */
export const ${camel}JobName = "${name}";

/** Stored in the clear: ids, never a secret. */
const ${pascal}Payload = Type.Object({ id: Type.String({ maxLength: 64 }) });

export const ${camel}Job = (payload: Static<typeof ${pascal}Payload>): Job => ({ name: ${camel}JobName, payload });

interface ${pascal}JobOptions {
  readonly log: Log;
}

/** Idempotent: a killed worker's job is run again. */
export const create${pascal}Job = ({ log }: ${pascal}JobOptions): JobHandler =>
  checkedHandler(${pascal}Payload, async ({ id }, { signal }) => {
    signal.throwIfAborted();
    log.info("${name} was asked for", { id });
  });
`,
      ),
    ],
    additions: [
      ...registered(
        `${group}-${action}-job`,
        `import { create${pascal}Job, ${camel}JobName } from "../${group}/${action}.job.ts";`,
        `({ log }) => ({ jobs: { [${camel}JobName]: create${pascal}Job({ log }) } })`,
      ),
      ["MANUAL.md, the table under Jobs and schedules", `| \`${name}\` | when it is asked for | logs its payload |`],
    ],
  };
}

export function planSchedule({ group, action, name, pascal }: Identity): Plan {
  return {
    files: [
      file(
        `src/${group}/${action}.schedule.ts`,
        `
import type { Schedule } from "../core/module.ts";
import type { Log } from "../observe/index.ts";

interface ${pascal}ScheduleOptions {
  readonly log: Log;
}

/** Runs once a tick among all processes, and never beside itself. Heeds its signal: a stop doesn't wait for it. */
export const create${pascal}Schedule = ({ log }: ${pascal}ScheduleOptions): Schedule => ({
  name: "${name}",
  cron: "23 * * * *",
  async run(signal) {
    signal.throwIfAborted();
    log.info("${name} is due");
  },
});
`,
      ),
    ],
    additions: [
      ...registered(
        `${group}-${action}-schedule`,
        `import { create${pascal}Schedule } from "../${group}/${action}.schedule.ts";`,
        `({ log }) => ({ schedules: [create${pascal}Schedule({ log })] })`,
      ),
      ["MANUAL.md, the table under Jobs and schedules", `| \`${name}\` | hourly | logs that it is due |`],
    ],
  };
}

export function planEvent({ group, action, name, pascal }: Identity): Plan {
  const topic = name.replace(":", ".");
  return {
    files: [
      file(
        `src/${group}/${action}.event.ts`,
        `
import type { EventBus } from "../drivers/events/index.ts";
import type { Log } from "../observe/index.ts";

interface ${pascal}EventOptions {
  readonly events: EventBus;
  readonly log: Log;
}

/** Told after the change was committed: at most once, by a bus that processes share at least once. Call the result to end the subscription. */
export const subscribeTo${pascal} = ({ events, log }: ${pascal}EventOptions): (() => void) =>
  events.subscribe(
    "${topic}",
    (event) => log.info("${topic} was told", { event: event.id, id: event.payload.id }),
    "${group}-${action}",
  );
`,
      ),
    ],
    additions: [
      // Ids, never a secret: subscribers of other releases read what is published, too.
      ["src/core/topics.ts, `topics`", `"${topic}": Type.Object({ id }),`],
      ...registered(
        `${group}-${action}-event`,
        `import { subscribeTo${pascal} } from "../${group}/${action}.event.ts";`,
        `({ resources: { events }, log }) => ({ close: subscribeTo${pascal}({ events, log }) })`,
      ),
      ["MANUAL.md, the table under Events", `| \`${topic}\` | \`id\` | it has happened |`],
    ],
  };
}

export function planCommand({ group, action, name, camel }: Identity): Plan {
  const path = `commands/${group}.${action}.ts`;
  return {
    files: [
      file(
        `src/cli/${path}`,
        `
import { command, exitCode } from "../command.ts";
import { readSettings } from "../app/environment.ts";
import { jsonLine, jsonObject } from "../terminal/json.ts";

/** Opens nothing but its configuration. */
export const ${camel}Command = command({
  args: { json: jsonObject },
  async run({ definition, terminal }, args) {
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    const report = { app: config.app.name, env: config.app.env };
    terminal.out(args.json === true ? jsonLine(report) : \`\${report.app} in \${report.env}\`);
    return exitCode.done;
  },
});
`,
      ),
    ],
    additions: [
      [
        "src/cli/table.ts, the group that it belongs to",
        `"${name}": { summary: "Show app and environment", load: async () => (await import("./${path}")).${camel}Command },`,
      ],
      ["MANUAL.md, the table under Commands", `| \`${name}\` | Show app and environment |`],
    ],
  };
}

export function planMigration(name: string, number: number): Plan {
  const id = `${String(number).padStart(4, "0")}_${name}`;
  const table = name.replace(/^(?:add|create)_/, "");
  const variable = `${table.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}${String(number)}`;
  return {
    files: [
      file(
        `migrations/${id}.up.sql`,
        `
-- additive
create table ${table} (
  id text primary key,
  created_at bigint not null
);
`,
      ),
      file(`migrations/${id}.down.sql`, `drop table ${table};\n`),
    ],
    additions: [
      ["migrations/index.ts, its imports", `import ${variable}Down from "./${id}.down.sql" with { type: "text" };`],
      ["migrations/index.ts, its imports", `import ${variable} from "./${id}.up.sql" with { type: "text" };`],
      ["migrations/index.ts, the end of `migrations`", `{ id: "${id}", up: ${variable}, down: ${variable}Down },`],
    ],
  };
}
