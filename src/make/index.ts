import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BadRequest, readIdentity, readMigrationName } from "./names.ts";
import { planCommand, planEvent, planJob, planMigration, planSchedule, type Plan } from "./templates.ts";

// A developer's tool, run from the source tree. No binary contains it.
const root = join(import.meta.dir, "..", "..");
const usage = `Usage: bun run make job|event|schedule|command|migration NAME

  NAME  group:action, such as reports:sync, or words, such as SyncReports. The topic of an event a:b is a.b
`;
const kinds = { job: planJob, event: planEvent, schedule: planSchedule, command: planCommand } as const;
const isKind = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind);

/** The next number, with a name that no other has. */
function newMigration(text: string): Plan {
  const name = readMigrationName(text);
  const files = readdirSync(join(root, "migrations"));
  if (files.some((file) => file.slice(5) === `${name}.up.sql`)) throw new BadRequest(`there is an ${name} already`);
  return planMigration(name, 1 + Math.max(0, ...files.map((file) => Number(/^\d{4}(?=_)/.exec(file)?.[0] ?? 0))));
}

function planOf(kind: string, name: string): Plan {
  if (kind === "migration") return newMigration(name);
  if (!isKind(kind))
    throw new BadRequest(`${JSON.stringify(kind)} is none of job, event, schedule, command, migration`);
  return kinds[kind](readIdentity(name));
}

function carryOut({ files, additions }: Plan): string {
  for (const { path } of files) if (existsSync(join(root, path))) throw new BadRequest(`${path} is there already`);
  for (const { path, text } of files) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text, { flag: "wx" });
  }
  return [
    ...files.map(({ path }) => `created ${path}`),
    ...additions.map(([place, line]) => `add to ${place}:\n  ${line}`),
    "then run: bun run format",
  ].join("\n");
}

try {
  const [kind, name, ...surplus] = process.argv.slice(2);
  if (kind === "--help" || kind === "-h") console.log(usage);
  else if (kind === undefined || name === undefined || surplus.length > 0)
    throw new BadRequest("a kind and a name are needed, and nothing else");
  else console.log(carryOut(planOf(kind, name)));
} catch (error) {
  if (!(error instanceof BadRequest)) throw error;
  console.error(`${error.message}\n\n${usage}`);
  process.exit(2);
}
