import type { Addition, Plan } from "./plan.ts";
import type { Identity } from "./names.ts";

/** Makes a whole file. Only identifiers and checked names are filled in. */
const file = (path: string, text: string): Plan["files"][number] => ({ path, text: text.replace(/^\n/, "") });

const quoted = (name: string): string => (/^[a-z][a-z0-9]*$/.test(name) ? name : `"${name}"`);

/**
 * Returns the lines that register a module: its import and construction in the table of all modules, and its entry in both apps, which
 * share one database.
 */
function registration(name: string, imported: string, made: string): readonly Addition[] {
  const listed = { place: "`modules`", line: `"${name}",` };
  return [
    { file: "src/app/modules.ts", place: "its imports", line: imported },
    { file: "src/app/modules.ts", place: "`modules`", line: `${quoted(name)}: ${made},` },
    { file: "src/main.ts", ...listed },
    { file: "src/admin.ts", ...listed },
  ];
}

/** Returns a module's name, such as `reports-sync-job`, as unique as the file that it is named after. */
const moduleName = ({ group, action }: Identity, kind: "job" | "schedule" | "event"): string =>
  group === action ? `${group}-${kind}` : `${group}-${action}-${kind}`;

const inManual = (section: string, line: string): Addition => ({
  file: "MANUAL.md",
  place: `the table under ${section}`,
  line,
});

export function planJob(identity: Identity): Plan {
  const { group, action, name, camel, pascal } = identity;
  const module = moduleName(identity, "job");
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
      ...registration(
        module,
        `import { create${pascal}Job, ${camel}JobName } from "../${group}/${action}.job.ts";`,
        `({ log }) => ({ jobs: { [${camel}JobName]: create${pascal}Job({ log }) } })`,
      ),
      inManual("Jobs and schedules", `| \`${name}\` | when it is asked for | logs its payload |`),
    ],
  };
}

/** How often a schedule of such a name runs. None runs at the full hour, when most other programs start theirs. */
const cadences: ReadonlyMap<string, readonly [cron: string, words: string]> = new Map([
  ["hourly", ["23 * * * *", "hourly"]],
  ["daily", ["23 3 * * *", "daily"]],
  ["weekly", ["23 3 * * 1", "weekly"]],
  ["monthly", ["23 3 1 * *", "monthly"]],
]);

export function planSchedule(identity: Identity): Plan {
  const { group, action, name, pascal } = identity;
  const module = moduleName(identity, "schedule");
  const [cron, words] = cadences.get(action) ?? ["23 * * * *", "hourly"];
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
  cron: "${cron}",
  async run(signal) {
    signal.throwIfAborted();
    log.info("${name} is due");
  },
});
`,
      ),
    ],
    additions: [
      ...registration(
        module,
        `import { create${pascal}Schedule } from "../${group}/${action}.schedule.ts";`,
        `({ log }) => ({ schedules: [create${pascal}Schedule({ log })] })`,
      ),
      inManual("Jobs and schedules", `| \`${name}\` | ${words} | logs that it is due |`),
    ],
  };
}

export function planEvent(identity: Identity, topic: string): Plan {
  const { group, action, pascal } = identity;
  const module = moduleName(identity, "event");
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
      // Ids, never a secret: every subscriber reads what is published, in other releases too.
      { file: "src/core/topics.ts", place: "`topics`", line: `"${topic}": Type.Object({ id }),` },
      ...registration(
        module,
        `import { subscribeTo${pascal} } from "../${group}/${action}.event.ts";`,
        `({ resources: { events }, log }) => ({ close: subscribeTo${pascal}({ events, log }) })`,
      ),
      inManual("Events", `| \`${topic}\` | \`id\` | it has happened |`),
    ],
  };
}

export function planCommand({ group, action, name, camel }: Identity): Plan {
  const path = group === action ? `src/cli/commands/${group}.ts` : `src/cli/commands/${group}.${action}.ts`;
  const key = name.includes(":") || name.includes("-") ? `"${name}"` : name;
  return {
    files: [
      file(
        path,
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
      {
        file: "src/cli/table.ts",
        place: "the group that it belongs to",
        line: `${key}: { summary: "Show app and environment", load: async () => (await import("./${path.slice("src/cli/".length)}")).${camel}Command },`,
      },
      inManual("Commands", `| \`${name}\` | Show app and environment |`),
    ],
  };
}

export function planMigration(name: string, number: number): Plan {
  const id = `${String(number).padStart(4, "0")}_${name}`;
  const table = name.replace(/^(?:add|create)_/, "");
  const identifier = table.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const variable = `${identifier}${String(number)}`;
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
      {
        file: "migrations/index.ts",
        place: "its imports",
        line: `import ${variable}Down from "./${id}.down.sql" with { type: "text" };`,
      },
      {
        file: "migrations/index.ts",
        place: "its imports",
        line: `import ${variable} from "./${id}.up.sql" with { type: "text" };`,
      },
      {
        file: "migrations/index.ts",
        place: "the end of `migrations`",
        line: `{ id: "${id}", up: ${variable}, down: ${variable}Down },`,
      },
    ],
  };
}
