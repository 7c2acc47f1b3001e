import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { variables } from "../../src/config/index.ts";
import { isId } from "../../src/core/ids.ts";
import { lockOrderComplaint } from "./lock.order.ts";
import { reasons } from "../../src/inspect/pages/reasons.ts";
import { openRows, type Rows } from "./rows.ts";

/** The file in which a run of the whole suite counts the refusals that it provokes; inspects are on then. */
const tally = process.env["GATEHOUSE_TEST_REFUSALS"];

/** Settings for every process under test while refusals are counted. */
export const recordedEnvironment: Readonly<Record<string, string>> =
  tally === undefined
    ? {}
    : {
        LIGHTHOUSE_INSPECT_ENABLED: "true",
        LIGHTHOUSE_SECRET: "pL5wq8ZrT2xVn7KdJ4mHs9Yb3GcF6aQe",
        LIGHTHOUSE_INSPECT_MAX_TOTAL: "100000",
      };

const seen = new Map<string, Set<string>>();
const shortest = 12;

/** Notes a secret that went over the wire: it may be found nowhere in what the service writes down. */
export function noteSecret(origin: string, value: unknown): void {
  // An account's id that somebody tries as a password is no secret: inspects name it.
  if (typeof value !== "string" || value.length < shortest || isId(value)) return;
  const known = seen.get(origin) ?? new Set();
  known.add(value);
  seen.set(origin, known);
}

const secretVariables = variables.filter((variable) => "secret" in variable).map(({ name }) => name);
/** The form of tokens. Passwords have blanks and are searched for one by one. */
const word = /[\w.-]{12,}/g;
const mostPasswords = 50;

function leaksIn(text: string, secrets: ReadonlySet<string>): string[] {
  const words = [...text.matchAll(word)].map(([found]) => found).filter((found) => secrets.has(found));
  const others = [...secrets].filter((secret) => secret.includes(" ")).slice(0, mostPasswords);
  return [...words, ...others.filter((secret) => text.includes(secret))];
}

/** Returns the empty text if the file has gone meanwhile: another process of the same app has checkpointed its log. */
function readBytes(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (existsSync(path)) throw error;
    return "";
  }
}

/** throws if a secret that went over the wire comes back in an error or in the metrics. */
export function refuseLeaks(origin: string, where: string, text: string): void {
  const leaks = leaksIn(text, seen.get(origin) ?? new Set());
  if (leaks.length > 0) throw new Error(`${where} tells secrets:\n${[...new Set(leaks)].join("\n")}`);
}

interface Ended {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly databasePath: string;
  /** The target's own folder, which is about to be removed. */
  readonly folder: string;
  readonly logs: string;
}

/** throws if a secret of this target is in its log or its inspects. Counts its refusals if the run does so. */
export function inspectEnded({ url, env, databasePath, folder, logs }: Ended): void {
  const secrets = new Set([...(seen.get(url) ?? []), ...secretVariables.map((name) => env[name] ?? "")]);
  secrets.delete("");
  seen.delete(url);
  const files = ["app", "admin"]
    .flatMap((app) => ["", "-wal"].map((suffix) => join(databasePath, "..", `lighthouse-${app}.db${suffix}`)))
    .filter((path) => existsSync(path));
  const leaks = [
    ...leaksIn(logs, secrets).map((secret) => `the log: ${secret}`),
    ...files.flatMap((path) => leaksIn(readBytes(path), secrets).map((secret) => `${path}: ${secret}`)),
  ];
  // Processes that share a file end side by side, and the folder is removed with the process that owns it: that one counts.
  const own = files.filter((path) => path.startsWith(folder) && path.endsWith(".db"));
  if (tally !== undefined) for (const path of own) count(path, tally);
  const disorder = [...new Set(own.flatMap(batchesOutOfOrder))];
  if (disorder.length > 0) throw new Error(`batches take their locks out of order:\n${disorder.join("\n")}`);
  if (leaks.length > 0) throw new Error(`secrets were written down:\n${[...new Set(leaks)].join("\n")}`);
}

const hasInspects = (rows: Rows): boolean => rows.count("sqlite_schema where name = 'inspects'") > 0;

/** Returns what the recorded batches do against the one order of locks. */
function batchesOutOfOrder(path: string): string[] {
  using rows = openRows(path);
  if (!hasInspects(rows)) return [];
  const batches = rows.all(
    `select distinct json_extract(event.value, '$.attributes.sql') as sql
     from inspects, json_each(inspects.body, '$.events') event
     where json_extract(event.value, '$.kind') = 'query' and json_extract(event.value, '$.name') = 'batch'`,
  );
  return batches.flatMap(({ sql }) => {
    const statements = Value.Parse(Type.Array(Type.String()), JSON.parse(String(sql)));
    const complaint = lockOrderComplaint(statements.map((statement) => ({ sql: statement })));
    return complaint === undefined ? [] : [`${complaint}\n  ${statements.join("\n  ")}`];
  });
}

/** Writes one line a target: how many requests were refused, and which of them for a reason outside the closed set. */
function count(path: string, into: string): void {
  using rows = openRows(path);
  if (!hasInspects(rows)) return;
  const refusals = rows.all(
    `select json_extract(body, '$.reason') as reason, name, status from inspects where source = 'http' and failed = 1`,
  );
  const unexplained = refusals.filter(({ reason }) => !reasons.includes(String(reason)));
  appendFileSync(into, `${JSON.stringify({ refusals: refusals.length, unexplained })}\n`);
}
