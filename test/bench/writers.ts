import { join } from "node:path";
import { createSqliteDatabase } from "../../src/drivers/database/sqlite/sqlite.ts";
import { count, ms, percent, type Part } from "./findings.ts";
import { type Load, medianOf } from "./load.ts";
import type { Workspace } from "./workspace.ts";

const rounds = 5;
const seconds = 3;
/** Time for the processes to open the file, so that they begin together. */
const startMs = 1_000;

interface Shape {
  readonly processes: number;
  readonly callers: number;
}

const four: Shape = { processes: 4, callers: 8 };
const shapes: readonly Shape[] = [
  { processes: 1, callers: 32 },
  { processes: 1, callers: 8 },
  { processes: 2, callers: 32 },
  four,
];

interface Round extends Load {
  /** The slowest process's writes, as a share of the mean. */
  readonly poorest: number;
}

/**
 * Measures durable batches of two statements that processes write to one SQLite file. The shapes are measured in turn, since the cost of an
 * fsync changes by the minute here and limits them all: a commit carries the batches of one process.
 */
export const writers: Part = {
  name: "writers",
  limitSeconds: 180,
  async run({ workspace }) {
    const measured = new Map<Shape, Round[]>(shapes.map((shape) => [shape, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [shape, results] of measured) results.push(await measure(workspace, shape, results.length));
    }
    const shared = measured.get(four) ?? [];
    const perSecond = medianOf(shared, (round) => round.perSecond);
    const p99Ms = medianOf(shared, (round) => round.p99Ms);
    const poorest = medianOf(shared, (round) => round.poorest);
    const what = "four processes with 8 callers each write to one SQLite file: durable batches";
    return {
      measures: [
        { measure: what, goal: "≥ 10,000/s", measured: `${count(perSecond)}/s`, met: perSecond >= 10_000 },
        { measure: "the same: p99 of the slowest process", goal: "≤ 60 ms", measured: ms(p99Ms), met: p99Ms <= 60 },
        {
          measure: "the same: batches of the slowest process, of the mean",
          goal: "≥ 60 %",
          measured: percent(poorest),
          met: poorest >= 0.6,
        },
      ],
      raw: [...measured].map(([{ processes, callers }, results]) => {
        const of = (field: "perSecond" | "p50Ms" | "p99Ms" | "maxMs"): number =>
          medianOf(results, (round) => round[field]);
        return (
          `writers: ${processes} × ${callers}: ${count(of("perSecond"))}/s, p50 ${ms(of("p50Ms"))}, p99 ${ms(of("p99Ms"))}, most ${ms(of("maxMs"))}` +
          ` (rounds: ${results.map((round) => `${count(round.perSecond)}/s, slowest ${percent(round.poorest)}`).join("; ")})`
        );
      }),
    };
  },
};

async function measure(workspace: Workspace, { processes, callers }: Shape, round: number): Promise<Round> {
  const path = workspace.path(`writers-${processes}-${callers}-${round}.db`);
  const { database } = createSqliteDatabase({ path, name: "default" });
  await database.run("create table facts (id text primary key)");
  await database.run("create table counters (n bigint not null)");
  await database.run("insert into counters (n) values (0)");
  const env = {
    BENCH_DATABASE: path,
    BENCH_CALLERS: String(callers),
    BENCH_SECONDS: String(seconds),
    BENCH_START: String(Date.now() + startMs),
  };
  const script = join(import.meta.dir, "writers.process.ts");
  const outputs = await Promise.all(
    Array.from({ length: processes }, () => workspace.complete("writer", [process.execPath, script], env)),
  );
  await database.close();
  const loads = outputs.map((output): Load => JSON.parse(output));
  const perSecond = loads.reduce((sum, load) => sum + load.perSecond, 0);
  return {
    perSecond,
    p50Ms: medianOf(loads, ({ p50Ms }) => p50Ms),
    p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
    maxMs: Math.max(...loads.map(({ maxMs }) => maxMs)),
    poorest: Math.min(...loads.map((load) => load.perSecond)) / (perSecond / processes),
  };
}
