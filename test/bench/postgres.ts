import { SQL } from "bun";
import { resolve } from "node:path";
import { startPostgres, type Postgres } from "../support/postgres.ts";
import { count, ms, percent, type Bench, type Findings, type Part } from "./findings.ts";
import { binary, environment, helloPath, register, startGatehouse } from "./gatehouse.ts";
import { closedLoop, interleave, medianOf, medianRatio, type Load } from "./load.ts";
import { clients, rotate } from "./rotation.ts";
import type { Server, Workspace } from "./workspace.ts";
import { throughputLine, wrk, type Throughput } from "./wrk.ts";

const rounds = 5;
const seconds = 3;

/** Measures the service with PostgreSQL on the same machine, whose commits wait for the disk. */
export const postgres: Part = {
  name: "postgres",
  limitSeconds: 240,
  async run({ workspace }) {
    const server = await startPostgres({ fsync: true, settings: { shared_buffers: "256MB" } });
    try {
      return await measured(workspace, server);
    } finally {
      await workspace.stopAll();
      await server.stop();
    }
  },
};

async function measured(workspace: Bench["workspace"], server: Postgres): Promise<Findings> {
  const { url } = await server.createDatabase();
  const env = { DB_DRIVER: "postgres", DB_URL: url };
  await workspace.complete("migrate", [binary, "migrate"], { ...environment("unused.db"), ...env });
  const gatehouse = await startGatehouse(workspace, "gatehouse-postgres", "unused.db", { env });
  const cookie = await register(gatehouse, "ada");
  const bare = await startBare(workspace, url);

  const load = (target: Server): Promise<Throughput> => wrk(workspace, target, { path: helloPath, seconds, cookie });
  for (const target of [gatehouse, bare]) await load(target);
  const reads = await interleave(rounds, ["gatehouse", "bare"], (name) => load(name === "bare" ? bare : gatehouse));
  const cookies: string[] = [];
  for (let index = 0; index < clients; index += 1) cookies.push(await register(gatehouse, `person${index}`));
  const rotations = await rotate(gatehouse, cookies);
  const bareRotations = await rotateBare(url);

  const share = medianRatio(reads("gatehouse"), reads("bare"), ({ perSecond }) => perSecond);
  const perSecond = medianOf(rotations, (each) => each.perSecond);
  return {
    measures: [
      {
        measure: "PostgreSQL: `GET /api/v1/hello`, throughput of a bare select by key through the same client",
        goal: "≥ 60 %",
        measured: percent(share),
        met: share >= 0.6,
      },
      {
        measure: `PostgreSQL: refresh rotations, durable, ${clients} clients`,
        goal: "≥ 3,000/s",
        measured: `${count(perSecond)}/s`,
        met: perSecond >= 3_000,
      },
    ],
    raw: [
      throughputLine("hello on PostgreSQL, Gatehouse", reads("gatehouse")),
      throughputLine("hello on PostgreSQL, bare select", reads("bare")),
      `rotations on PostgreSQL: p50 ${ms(medianOf(rotations, ({ p50Ms }) => p50Ms))}, p99 ${ms(medianOf(rotations, ({ p99Ms }) => p99Ms))} (rounds: ${rotations.map((each) => count(each.perSecond)).join(" ")})`,
      `its two statements through the bare client, each committed by itself: ${count(medianOf(bareRotations, (each) => each.perSecond))}/s (rounds: ${bareRotations.map((each) => count(each.perSecond)).join(" ")})`,
    ],
  };
}

/** Sends the database the statements of a refresh, without the service. */
async function rotateBare(url: string): Promise<readonly Load[]> {
  await using sql = new SQL(url, { max: 8 });
  const sessions = await sql.unsafe<{ id: string }[]>("select id from auth_sessions order by id desc limit $1", [
    clients,
  ]);
  const swap = async ({ id }: { readonly id: string }): Promise<void> => {
    await sql.unsafe("select s.*, u.* from auth_sessions s, users u where u.id = s.user_id and s.id = $1", [id]);
    await sql.unsafe(
      "update auth_sessions set secret_hash = $2, generation = generation + 1, last_seen_at = last_seen_at + 1 where id = $1",
      [id, crypto.randomUUID()],
    );
  };
  await closedLoop(sessions, 1, swap);
  const results: Load[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await closedLoop(sessions, seconds, swap));
  return results;
}

async function startBare(workspace: Workspace, url: string): Promise<Server> {
  await using sql = new SQL(url, { max: 1 });
  const [ada] = await sql.unsafe<{ id: string }[]>("select id from users where username = 'ada'");
  return await workspace.start({
    name: "bare-postgres",
    command: [process.execPath, resolve(import.meta.dir, "postgres.server.ts")],
    env: { BENCH_URL: url, BENCH_ID: ada?.id ?? "" },
    readyPath: helloPath,
  });
}
