import { SQL } from "bun";
import { dirname } from "node:path";
import { startPostgres, type Postgres } from "../support/postgres.ts";
import { count, ms, times, type Findings, type Measure, type Part } from "./findings.ts";
import { binary, cookiesOf, environment, register, startGatehouse } from "./gatehouse.ts";
import { get, openConnection, post, type HttpConnection, type HttpReply } from "./http.connection.ts";
import { askInTurns, interleave, medianOf, medianRatio, type Asked } from "./load.ts";
import type { Server, Workspace } from "./workspace.ts";

const rounds = 5;
const seconds = 4;
const clients = 32;
/** Supabase Auth's program, in the folder of its sources, where it finds its migrations. */
const program = Bun.env["GATEHOUSE_BENCH_SUPABASE"];

/** Somebody who is signed in: two cookies in one text here, two tokens there. */
interface Person<Proof> {
  readonly connection: HttpConnection;
  proof: Proof;
}
/** A service, and what people who are signed in do there. */
interface Side {
  readonly server: Server;
  refreshes(): Promise<Asked>;
  looks(): Promise<Asked>;
}

/** Measures what both answer with one PostgreSQL server, whose commits wait for the disk: refreshes, and who somebody is. */
export const supabase: Part = {
  name: "supabase",
  limitSeconds: 240,
  async run({ workspace }) {
    if (program === undefined) throw new Error("GATEHOUSE_BENCH_SUPABASE names no program of Supabase Auth");
    const postgres = await startPostgres({ fsync: true, settings: { shared_buffers: "256MB" } });
    try {
      const ours = await startOurs(workspace, postgres);
      return await measured(ours, await startTheirs(workspace, postgres, program));
    } finally {
      await workspace.stopAll();
      await postgres.stop();
    }
  },
};

/** Returns the two acts for people who go on from one proof to the next. */
function side<Proof>(
  server: Server,
  people: readonly Person<Proof>[],
  refresh: (person: Person<Proof>) => Promise<Proof>,
  look: (person: Person<Proof>) => Promise<HttpReply>,
): Side {
  return {
    server,
    refreshes: () =>
      askInTurns(server, people, seconds, async (person) => {
        person.proof = await refresh(person);
      }),
    looks: () =>
      askInTurns(server, people, seconds, async (person) => {
        const { status, body } = await look(person);
        if (status !== 200 || !body.includes('"email"')) throw new Error(`the answer is ${status} ${body}`);
      }),
  };
}

async function startOurs(workspace: Workspace, postgres: Postgres): Promise<Side> {
  const { url } = await postgres.createDatabase();
  const env = { DB_DRIVER: "postgres", DB_URL: url };
  await workspace.complete("migrate", [binary, "migrate"], { ...environment("unused.db"), ...env });
  const server = await startGatehouse(workspace, "gatehouse-supabase", "unused.db", { env });
  const people: Person<string>[] = [];
  for (let index = 0; index < clients; index += 1) {
    const proof = await register(server, `person${index}`);
    people.push({ connection: await openConnection(server.port), proof });
  }
  return side(
    server,
    people,
    async ({ connection, proof }) => cookiesOf(await connection.send(post("/api/v1/auth/refresh", undefined, proof))),
    ({ connection, proof }) => connection.send(get("/api/v1/auth/me", proof)),
  );
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

function tokensOf({ status, body }: HttpReply): Tokens {
  const [access, refresh] = ["access_token", "refresh_token"].map(
    (name) => new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1],
  );
  if (status !== 200 || access === undefined || refresh === undefined) throw new Error(`no tokens: ${status} ${body}`);
  return { access_token: access, refresh_token: refresh };
}

async function startTheirs(workspace: Workspace, postgres: Postgres, command: string): Promise<Side> {
  const { url } = await postgres.createDatabase();
  {
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe("create schema auth");
    // Its migrations grant rights to the administrator of a server.
    await sql.unsafe("create role postgres");
  }
  const env = {
    GOTRUE_DB_DRIVER: "postgres",
    DB_NAMESPACE: "auth",
    DATABASE_URL: `${url}?search_path=auth&sslmode=disable`,
    GOTRUE_DB_MIGRATIONS_PATH: `${dirname(command)}/migrations`,
    // As many as ours keeps open, and none is closed between two requests.
    GOTRUE_DB_MAX_POOL_SIZE: "16",
    GOTRUE_DB_MAX_IDLE_POOL_SIZE: "16",
    GOTRUE_JWT_SECRET: "a benchmark secret that guards nothing at all",
    GOTRUE_JWT_EXP: "3600",
    API_EXTERNAL_URL: "http://127.0.0.1",
    GOTRUE_SITE_URL: "http://127.0.0.1",
    GOTRUE_API_HOST: "127.0.0.1",
    GOTRUE_MAILER_AUTOCONFIRM: "true",
    GOTRUE_LOG_LEVEL: "error",
  };
  await workspace.complete("supabase-migrate", [command, "migrate"], env);
  const server = await workspace.start({ name: "supabase", command: [command], env, readyPath: "/health" });
  const people: Person<Tokens>[] = [];
  for (let index = 0; index < clients; index += 1) {
    const connection = await openConnection(server.port);
    const person = { email: `person${index}@example.org`, password: `a garden for person${index}` };
    people.push({ connection, proof: tokensOf(await connection.send(post("/signup", person))) });
  }
  return side(
    server,
    people,
    async ({ connection, proof: { refresh_token } }) =>
      tokensOf(await connection.send(post("/token?grant_type=refresh_token", { refresh_token }))),
    ({ connection, proof }) =>
      connection.send(`GET /user HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${proof.access_token}\r\n\r\n`),
  );
}

const acts = {
  refreshes: "refresh rotations, durable",
  looks: "who somebody is, checked against the stored session",
} as const;

async function measured(ours: Side, theirs: Side): Promise<Findings> {
  const sides = { Gatehouse: ours, "Supabase Auth": theirs } as const;
  const names = ["Gatehouse", "Supabase Auth"] as const;
  const measures: Measure[] = [];
  const raw: string[] = [];
  for (const act of ["refreshes", "looks"] as const) {
    for (const name of names) await sides[name][act]();
    const of = await interleave(rounds, names, (name) => sides[name][act]());
    const ratio = medianRatio(of("Gatehouse"), of("Supabase Auth"), ({ perSecond }) => perSecond);
    const cpu = medianRatio(of("Supabase Auth"), of("Gatehouse"), ({ cpuMicros }) => cpuMicros);
    measures.push({
      measure: `PostgreSQL: ${acts[act]}, ${clients} clients, against Supabase Auth; processor time of that one's answer over ours`,
      ...(act === "refreshes" ? { goal: "≥ 10×; –", met: ratio >= 10 } : { goal: "–" }),
      measured: `${times(ratio)}; ${times(cpu)}`,
    });
    for (const name of names) {
      const figure = (what: keyof Asked): number => medianOf(of(name), (asked) => asked[what]);
      const each = of(name).map(({ perSecond }) => count(perSecond));
      raw.push(
        `${acts[act]}, ${name}: ${count(figure("perSecond"))}/s, p50 ${ms(figure("p50Ms"))}, p99 ${ms(figure("p99Ms"))}, processor ${figure("cpuMicros").toFixed(0)} µs an answer (rounds: ${each.join(" ")})`,
      );
    }
  }
  return { measures, raw };
}
