import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { BadRequest, readIdentity, readMigrationName, readTopic } from "./names.ts";
import type { Addition, Plan } from "./plan.ts";
import { planCommand, planEvent, planJob, planMigration, planSchedule } from "./templates.ts";

// A developer's tool, run from the source tree. No binary contains it.
const root = join(import.meta.dir, "..", "..");
const usage = `Usage: bun run make job|event|schedule|command|migration NAME [--topic TOPIC]

  NAME     group:action, such as reports:sync, or words, such as SyncReports
  --topic  what an event is published as, such as reports.synced (default: a:b becomes a.b)
`;

const migrationFiles = (): readonly string[] => readdirSync(join(root, "migrations"));

/** Returns the number after the highest one in use. */
function nextMigration(): number {
  const numbers = migrationFiles().map((name) => Number(/^\d{4}(?=_)/.exec(name)?.[0] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

function planOf(kind: string, name: string, topic: string | undefined): Plan {
  if (topic !== undefined && kind !== "event") throw new BadRequest("--topic is for events");
  switch (kind) {
    case "job":
      return planJob(readIdentity("job", name));
    case "event": {
      const identity = readIdentity("topic", name);
      return planEvent(identity, readTopic(identity, topic));
    }
    case "schedule":
      return planSchedule(readIdentity("schedule", name));
    case "command":
      return planCommand(readIdentity("command", name));
    case "migration": {
      const words = readMigrationName(name);
      if (migrationFiles().some((file) => file.slice(5) === `${words}.up.sql`))
        throw new BadRequest(`there is an ${words} already`);
      return planMigration(words, nextMigration());
    }
    default:
      throw new BadRequest(`${JSON.stringify(kind)} is none of job, event, schedule, command, migration`);
  }
}

/** Returns the lines that new folders need in ARCHITECTURE.md: a test compares it with the tree. */
function newFolders({ files }: Plan): readonly Addition[] {
  const folders = new Set(files.map(({ path }) => dirname(path)).filter((folder) => !existsSync(join(root, folder))));
  return [...folders].map((folder) => ({
    file: "ARCHITECTURE.md",
    place: "the table under Folders",
    line: `| \`${folder}\` | what it is for |`,
  }));
}

/** Throws, before anything is written, if a file exists, a name is taken, or a folder is a link out of the tree. */
function refuseTaken({ files, additions }: Plan): void {
  for (const { path } of files) {
    if (existsSync(join(root, path))) throw new BadRequest(`${path} is there already`);
    const folder = join(root, dirname(path));
    if (existsSync(folder) && !lstatSync(folder).isDirectory()) throw new BadRequest(`${dirname(path)} is no folder`);
  }
  // The tables of MANUAL.md list every name: a test ensures that.
  const manual = readFileSync(join(root, "MANUAL.md"), "utf8");
  for (const { file, line } of additions) {
    const [, name] = file === "MANUAL.md" ? line.split("|") : [];
    if (name !== undefined && manual.includes(`\n|${name}|`)) throw new BadRequest(`${name.trim()} is taken already`);
  }
}

const formatter = join(root, "node_modules", ".bin", "oxfmt");

/** Formats new files: how their lines break depends on the names in them. */
function format(paths: readonly string[]): void {
  const { success } = Bun.spawnSync([process.execPath, "--bun", formatter, ...paths], { cwd: root, timeout: 30_000 });
  if (!success) throw new Error(`written, but not formatted: ${paths.join(", ")}`);
}

function carryOut(plan: Plan): string {
  refuseTaken(plan);
  const sources = plan.files.map(({ path }) => path).filter((path) => path.endsWith(".ts"));
  if (sources.length > 0 && !existsSync(formatter))
    throw new Error(
      "nothing was written: oxfmt, which formats it, is not installed. Run bun install --frozen-lockfile",
    );
  const additions = [...plan.additions, ...newFolders(plan)];
  for (const { path, text } of plan.files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: "wx" });
  }
  if (sources.length > 0) format(sources);
  return [
    ...plan.files.map(({ path }) => `created ${path}`),
    ...additions.map(({ file, place, line }) => `add to ${file}, ${place}:\n  ${line}`),
  ].join("\n");
}

try {
  const { values, positionals } = parseArgs({
    options: { topic: { type: "string" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  const [kind, name, ...surplus] = positionals;
  if (values.help === true) console.log(usage);
  else if (kind === undefined || name === undefined || surplus.length > 0)
    throw new BadRequest("a kind and a name are needed, and nothing else");
  else console.log(carryOut(planOf(kind, name, values.topic)));
} catch (error) {
  const isWrongUsage = error instanceof BadRequest || (error instanceof TypeError && "code" in error);
  const message = error instanceof Error ? error.message : String(error);
  console.error(isWrongUsage ? `${message}\n\n${usage}` : message);
  process.exit(isWrongUsage ? 2 : 1);
}
