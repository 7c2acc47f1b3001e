import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isName, maxNameLength } from "../core/naming.ts";
import { templates } from "./templates.ts";

// A developer's tool, run from the source tree. No binary contains it.
const root = join(import.meta.dir, "..", "..");
const usage = `Usage: bun run make job|event|schedule|command|migration NAME

  NAME  group:action, such as reports:sync, or words, such as SyncReports. The topic of an event a:b is a.b
`;
const isKind = (kind: string): kind is keyof typeof templates => Object.hasOwn(templates, kind);

function refuse(why: string): never {
  console.error(`${why}\n\n${usage}`);
  process.exit(2);
}

const ungrouped = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*$/;
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const small = (word: string): string => word.slice(0, 1).toLowerCase() + word.slice(1);
const pascalOf = (text: string): string => text.split(/[-_:]/).map(capital).join("");

/** Reads `reports:sync`, or `SyncReports`, whose name and group are the compact `syncreports`. */
function readNames(text: string) {
  const isGrouped = isName("job", text) && text.includes(":");
  if (text.length > maxNameLength || !(isGrouped || ungrouped.test(text)))
    refuse("a name is group:action in lower case, such as reports:sync, or words such as SyncReports");
  const name = isGrouped ? text : text.replaceAll(/[-_]/g, "").toLowerCase();
  const [group = "", action = group] = name.split(":");
  const pascal = pascalOf(text);
  return { group, action, name, topic: name.replace(":", "."), pascal, camel: small(pascal) };
}

/** Reads the name of a migration: `AddReports`, `add-reports` and `add_reports` all become `add_reports`, with the next number. */
function readMigration(text: string) {
  if (text.length > maxNameLength || !ungrouped.test(text)) refuse("a migration's name is words such as add_reports");
  const name = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  const files = readdirSync(join(root, "migrations"));
  if (files.some((file) => file.slice(5) === `${name}.up.sql`)) refuse(`there is an ${name} already`);
  const number = 1 + Math.max(0, ...files.map((file) => Number(/^\d{4}(?=_)/.exec(file)?.[0] ?? 0)));
  const table = name.replace(/^(?:add|create)_/, "");
  return { id: `${String(number).padStart(4, "0")}_${name}`, table, variable: `${small(pascalOf(table))}${number}` };
}

const [kind, name, ...surplus] = process.argv.slice(2);
if (kind === "--help" || kind === "-h") {
  console.log(usage);
  process.exit();
}
if (kind === undefined || name === undefined || surplus.length > 0)
  refuse("a kind and a name are needed, and nothing else");
if (!isKind(kind)) refuse(`${JSON.stringify(kind)} is none of ${Object.keys(templates).join(", ")}`);

const names = new Map<string, string>(Object.entries(kind === "migration" ? readMigration(name) : readNames(name)));
const filled = (text: string): string => text.replaceAll(/@(\w+)@/g, (_, key: string) => names.get(key) ?? "");
const { files, additions } = templates[kind];
const written = Object.entries(files).map(([path, text]) => [filled(path), filled(text).trimStart()] as const);
for (const [path] of written) if (existsSync(join(root, path))) refuse(`${path} is there already`);
for (const [path, text] of written) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text, { flag: "wx" });
  console.log(`created ${path}`);
}
for (const [place, line] of additions) console.log(`add to ${place}:\n  ${filled(line)}`);
console.log("then run: bun run format");
