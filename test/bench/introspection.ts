import { resolve } from "node:path";
import { count, ms, percent, type Part } from "./findings.ts";
import { binary, environment, startGatehouse } from "./gatehouse.ts";
import { openConnection, post } from "./http.connection.ts";
import { closedLoop, interleave, medianOf, medianRatio, type Load } from "./load.ts";
import type { Server, Workspace } from "./workspace.ts";

const rounds = 5;
const seconds = 4;
const clients = 4;
const connections = 32;
/** Milliseconds that each connection rests between two questions: together they ask about a thousand times a second. */
const pauseMs = 30;
const names = [
  "logins alone",
  "beside a good secret",
  "beside wrong secrets",
  "beside wrong secrets without a pause",
] as const;
type Name = (typeof names)[number];

/** Measures what logins lose while backends ask about tokens a thousand times a second, or somebody sends wrong secrets. */
export const introspection: Part = {
  name: "introspection",
  limitSeconds: 180,
  async run({ workspace, population }) {
    const people = await population(10_000);
    const create = [binary, "service:create", "bench", "--scope", "introspect", "--json"];
    const created = await workspace.complete("service", create, environment(people.path));
    const secret = /gh_[\w-]{43}/.exec(created)?.[0] ?? "";
    const wrong = `gh_${"A".repeat(43)}`;
    const token = (await people.accessCookie(0)).replace(/^auth_access=/, "");
    const server = await startGatehouse(workspace, "gatehouse-introspection", people.path);
    const asked = new Map<Name, number>();
    const flood = async (name: Name, by: string, pause: number): Promise<void> => {
      asked.set(name, await ask(workspace, server, [by, token, String(pause)]));
    };
    const floods: Readonly<Record<Name, (name: Name) => Promise<void>>> = {
      "logins alone": () => Promise.resolve(),
      "beside a good secret": (name) => flood(name, secret, pauseMs),
      "beside wrong secrets": (name) => flood(name, wrong, pauseMs),
      "beside wrong secrets without a pause": (name) => flood(name, wrong, 0),
    };
    const cpuBefore = await server.cpuSeconds();
    const alone = await ask(workspace, server, [secret, token, String(pauseMs)]);
    const microsEach = (((await server.cpuSeconds()) - cpuBefore) / (alone * seconds)) * 1_000_000;
    let turns = 0;
    const logInFor = async (duration: number): Promise<Load> => {
      const open = await Promise.all(Array.from({ length: clients }, () => openConnection(server.port)));
      const load = await closedLoop(open, duration, async (connection) => {
        turns += 1;
        const { status } = await connection.send(post("/api/v1/auth/login", people.credentials(turns % people.size)));
        // On a busy machine, a read of the maintenance state may time out.
        if (status !== 200 && status !== 503) throw new Error(`a login was answered with ${status}`);
      });
      for (const connection of open) connection.close();
      return load;
    };
    await logInFor(1);
    const results = await interleave(rounds, names, async (name) => {
      const [load] = await Promise.all([logInFor(seconds), floods[name](name)]);
      return load;
    });
    const share = (name: Name): number =>
      medianRatio(results(name), results("logins alone"), ({ perSecond }) => perSecond);
    return {
      measures: (["beside a good secret", "beside wrong secrets"] as const).map((name) => ({
        measure: `logins ${name}, a thousand introspections a second: share of their throughput alone`,
        goal: "≥ 90 %",
        measured: percent(share(name)),
        met: share(name) >= 0.9,
      })),
      raw: [
        `an introspection: ${microsEach.toFixed(0)} µs of the processor, ${count(alone)}/s alone`,
        ...names.map((name) => {
          const of = (figure: "perSecond" | "p50Ms" | "p99Ms"): number =>
            medianOf(results(name), (each) => each[figure]);
          return `${name}: ${of("perSecond").toFixed(1)} logins/s (${percent(share(name))}), p50 ${ms(of("p50Ms"))}, p99 ${ms(of("p99Ms"))}; ${count(asked.get(name) ?? 0)} introspections/s`;
        }),
      ],
    };
  },
};

/** Asks for as long as the logins of a round take. Resolves to questions per second. */
async function ask(workspace: Workspace, { port }: Server, args: readonly string[]): Promise<number> {
  const url = `http://127.0.0.1:${port}/api/v1/auth/introspect`;
  const script = resolve(import.meta.dir, "wrk.introspect.lua");
  const command = ["wrk", "-t1", `-c${connections}`, `-d${seconds}`, "-s", script, url, "--", ...args];
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(await workspace.complete("wrk", command))?.[1]);
}
