import { count, ms, percent, type Part } from "./findings.ts";
import { binary, environment, migrate, register, startGatehouse } from "./gatehouse.ts";
import { openConnection, patch } from "./http.connection.ts";
import { closedLoop, interleave, medianOf, medianRatio } from "./load.ts";
import type { Server, Workspace } from "./workspace.ts";
import { wrk } from "./wrk.ts";

const rounds = 5;
const seconds = 3;
const clients = 8;
const path = "/api/v1/auth/verify";
const names = ["without claims", "with claims"] as const;
type Name = (typeof names)[number];

/** What an app keeps on an account: what claims in the answers of `verify` cost, and how many changes a second services can make. */
export const claims: Part = {
  name: "claims",
  limitSeconds: 120,
  async run({ workspace }) {
    const plain = await startWithPeople(workspace, "plain", {});
    const claimed = await startWithPeople(workspace, "claimed", { AUTH_TOKEN_CLAIMS: "roles,email,app_metadata.plan" });
    const create = [binary, "service:create", "bench", "--scope", "users:read,users:write", "--json"];
    const created = await workspace.complete("service", create, environment(claimed.path));
    const secret = /gh_[\w-]{43}/.exec(created)?.[0] ?? "";
    const changing = await change(claimed, secret);

    const of: Readonly<Record<Name, typeof plain>> = { "without claims": plain, "with claims": claimed };
    const load = (name: Name, duration: number) =>
      wrk(workspace, of[name].server, { path, seconds: duration, cookie: of[name].cookie });
    for (const name of names) await load(name, 2);
    const results = await interleave(rounds, names, (name) => load(name, seconds));
    const share = medianRatio(results("with claims"), results("without claims"), ({ perSecond }) => perSecond);
    return {
      measures: [
        {
          measure: "`GET /api/v1/auth/verify` with three claims of `AUTH_TOKEN_CLAIMS`, of its throughput without",
          goal: "≥ 60 %",
          measured: percent(share),
          met: share >= 0.6,
        },
        {
          measure: `changes of an account's metadata by a service, durable, ${clients} clients`,
          goal: "≥ 500/s",
          measured: `${count(changing.perSecond)}/s, p99 ${ms(changing.p99Ms)}`,
          met: changing.perSecond >= 500,
        },
      ],
      raw: names.map((name) => {
        const figure = (key: "perSecond" | "p99Ms" | "cpuMicros") => medianOf(results(name), (each) => each[key]);
        return `${path} ${name}: ${count(figure("perSecond"))}/s, p99 ${ms(figure("p99Ms"))}, processor ${figure("cpuMicros").toFixed(1)} µs a request`;
      }),
    };
  },
};

/** Starts a service with an account for each client. `cookie` is the session of one. */
async function startWithPeople(workspace: Workspace, name: string, env: Readonly<Record<string, string>>) {
  const file = workspace.path(`${name}.db`);
  await migrate(workspace, file);
  const server = await startGatehouse(workspace, `gatehouse-${name}`, file, { env });
  const ids: string[] = [];
  let cookie = "";
  for (let person = 0; person < clients; person += 1) {
    cookie = await register(server, `person${person}`);
    const me: unknown = await (
      await fetch(`http://127.0.0.1:${server.port}/api/v1/auth/me`, { headers: { cookie } })
    ).json();
    ids.push(String(Reflect.get(Object(Reflect.get(Object(me), "user")), "id")));
  }
  return { server, cookie, path: file, ids };
}

/** Changes the accounts for as long as a round takes, each client another one, each time to something else. */
async function change({ server, ids }: { readonly server: Server; readonly ids: readonly string[] }, secret: string) {
  const open = await Promise.all(ids.map(async (id) => ({ id, connection: await openConnection(server.port) })));
  let turns = 0;
  const result = await closedLoop(open, seconds, async ({ id, connection }) => {
    turns += 1;
    const body = { app_metadata: { plan: "pro", seen: turns } };
    const { status } = await connection.send(patch(`/api/v1/users/${id}`, body, secret));
    if (status !== 200) throw new Error(`a change was answered with ${status}`);
  });
  for (const { connection } of open) connection.close();
  return result;
}
