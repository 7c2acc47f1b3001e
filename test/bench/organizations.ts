import { Database } from "bun:sqlite";
import { count, ms, percent, type Part } from "./findings.ts";
import { helloPath, migrate, register, startGatehouse } from "./gatehouse.ts";
import { get, openConnection, post, type HttpConnection } from "./http.connection.ts";
import { closedLoop, interleave, medianOf, medianRatio } from "./load.ts";
import { flushToDisk, type Server, type Workspace } from "./workspace.ts";
import { wrk } from "./wrk.ts";

const [many, crowd, accounts] = [1_000_000, 100_000, 100_000] as const;
const rounds = 5;
const seconds = 3;
const clients = 8;
const verifyPath = "/api/v1/auth/verify";
const path = "/api/v1/auth/organizations";
const large = "01aa0000-0000-7000-8000-000000000000";
const names = ["off", "on"] as const;

const series = (size: number): string =>
  `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${size - 1})`;
const idOf = (prefix: string): string =>
  `'${prefix}-' || substr(printf('%012x', i), 5, 4) || '-7000-8000-' || printf('%012x', i)`;

/** Makes accounts, a million organizations with an owner each, and one with a hundred thousand members, of which the first account is an owner. */
function seed(file: string): void {
  using database = new Database(file, { strict: true });
  for (const pragma of ["journal_mode = off", "synchronous = off", "cache_size = -400000"])
    database.run(`pragma ${pragma}`);
  database.run(`${series(accounts)} insert into users
      (id, username, username_key, email, email_key, display_name, password_hash, created_at, updated_at)
    select ${idOf("01970000")}, 'user' || i, 'user' || i, 'user' || i || '@example.org', 'user' || i || '@example.org',
      'Ada', null, 1, 1 from n`);
  database.run(`${series(many)} insert into organizations
      (id, slug, slug_key, name, name_key, metadata, members, owners, created_at, updated_at)
    select ${idOf("01990000")}, 'acme-' || i, 'acme-' || i, 'Acme ' || i, 'acme ' || i, null, 1, 1, 1, 1 from n`);
  database.run(`${series(many)} insert into organization_members (organization_id, user_id, roles, rank, joined_at)
    select ${idOf("01990000")}, (select ${idOf("01970000").replaceAll(/\bi\b/g, "(n.i % 100000)")}), 'owner', 2, 1 from n`);
  const me = "(select id from users where username = 'organizations')";
  database.run(`insert into organizations (id, slug, slug_key, name, name_key, metadata, members, owners, created_at, updated_at)
    values ('${large}', 'large', 'large', 'Large', 'large', null, ${crowd + 1}, 1, 1, 1)`);
  database.run(`insert into organization_members (organization_id, user_id, roles, rank, joined_at)
    select '${large}', id, case when id = ${me} then 'owner' else 'member' end, case when id = ${me} then 2 else 0 end, 1
    from users where id = ${me} or username like 'user%' limit ${crowd + 1}`);
}

async function startWith(workspace: Workspace, name: string, env: Readonly<Record<string, string>>) {
  const file = workspace.path(`organizations-${name}.db`);
  await migrate(workspace, file);
  const first = await startGatehouse(workspace, `gatehouse-organizations-${name}-first`, file, { env });
  const cookie = await register(first, "organizations");
  await first.stop();
  seed(file);
  flushToDisk(file);
  const server = await startGatehouse(workspace, `gatehouse-organizations-${name}`, file, { env });
  return { server, cookie };
}

/** Measures one kind of request by a few clients. */
async function load(server: Server, send: (connection: HttpConnection, turn: number) => Promise<{ status: number }>) {
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(server.port)));
  let turn = 0;
  const result = await closedLoop(connections, seconds, async (connection) => {
    const { status } = await send(connection, (turn += 1));
    if (status !== 200) throw new Error(`an organization was answered with ${status}`);
  });
  for (const connection of connections) connection.close();
  return result;
}

/** What organizations cost a request, and how fast they are where there are a million of them, and one with a hundred thousand members. */
export const organizations: Part = {
  name: "organizations",
  limitSeconds: 300,
  async run({ workspace }) {
    const off = await startWith(workspace, "off", {});
    const on = await startWith(workspace, "on", { ORGANIZATIONS_ENABLED: "true" });
    const acting = await openConnection(on.server.port);
    const switched = await acting.send(post(`${path}/switch`, { id: large }, on.cookie));
    if (switched.status !== 200)
      throw new Error(`the session does not act for it: ${switched.status} ${switched.body}`);
    acting.close();
    const of = { off, on } as const;
    const at = (where: string) => async (name: (typeof names)[number]) =>
      wrk(workspace, of[name].server, { path: where, seconds, cookie: of[name].cookie });
    const shareOf = async (where: string) => {
      for (const name of names) await at(where)(name);
      const results = await interleave(rounds, names, at(where));
      const rate = (name: (typeof names)[number]) => medianOf(results(name), ({ perSecond }) => perSecond);
      return {
        share: medianRatio(results("on"), results("off"), ({ perSecond }) => perSecond),
        raw: `${where}: ${count(rate("off"))}/s without organizations, ${count(rate("on"))}/s with them`,
      };
    };
    const guarded = await shareOf(helloPath);
    const verified = await shareOf(verifyPath);
    const read = (query: string) => load(on.server, (connection) => connection.send(get(`${path}${query}`, on.cookie)));
    const members = await read(`/${large}/members?limit=50`);
    const deep = await read(`/${large}/members?limit=50&cursor=01970000-0001-7000-8000-000000018000`);
    const mine = await read("");
    const roles = await load(on.server, (connection, turn) =>
      connection.send(
        post(
          `${path}/${large}/members/01970000-0000-7000-8000-${(turn % 60_000).toString(16).padStart(12, "0")}/roles`,
          { roles: ["member", `team-${turn}`] },
          on.cookie,
        ),
      ),
    );
    return {
      measures: [
        {
          measure: "a guarded request with organizations on, of its throughput with them off",
          goal: "≥ 97 %",
          measured: percent(guarded.share),
          met: guarded.share >= 0.97,
        },
        {
          measure: `\`verify\` of a session that acts for an organization of ${count(crowd)}, among ${count(many)}, of its throughput without organizations`,
          goal: "≥ 75 %",
          measured: percent(verified.share),
          met: verified.share >= 0.75,
        },
        {
          measure: `a page of 50 members of ${count(crowd)}, from the middle, ${clients} clients`,
          goal: "≥ 500/s",
          measured: `${count(deep.perSecond)}/s, p99 ${ms(deep.p99Ms)}`,
          met: deep.perSecond >= 500,
        },
        {
          measure: `a member of ${count(crowd)} gets other roles, durable, ${clients} clients`,
          goal: "≥ 300/s",
          measured: `${count(roles.perSecond)}/s, p99 ${ms(roles.p99Ms)}`,
          met: roles.perSecond >= 300,
        },
      ],
      raw: [
        guarded.raw,
        verified.raw,
        `the first page of members: ${count(members.perSecond)}/s; one's own organizations: ${count(mine.perSecond)}/s`,
      ],
    };
  },
};
