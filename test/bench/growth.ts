import { count, median, ms, times, type Part } from "./findings.ts";
import { cookiesOf, startGatehouse, visitWithEach } from "./gatehouse.ts";
import { post, withConnections, type HttpConnection } from "./http.connection.ts";
import { closedLoop, interleave, medianRatio } from "./load.ts";
import type { Population } from "./population.ts";
import type { Workspace } from "./workspace.ts";
import { wrk } from "./wrk.ts";

const rounds = 5;
const clients = 32;
const sizes = { small: 10_000, large: 1_000_000 } as const;
const names = ["small", "large"] as const;
const noise = 1.15;
const mePath = "/api/v1/auth/me";

/** Measures three requests on a hundred times the rows. Each goes to other users and sessions, scattered over all of them. */
export const growth: Part = {
  name: "growth",
  limitSeconds: 150,
  async run({ workspace, population }) {
    const small = await createSubject(workspace, await population(sizes.small));
    const large = await createSubject(workspace, await population(sizes.large));
    const subjects = { small, large } as const;
    const kinds = ["login", "refresh", "me"] as const;
    const costs = [];
    for (const kind of kinds) {
      for (const name of names) await subjects[name].visit();
      const results = await interleave(rounds, names, (name) => subjects[name][kind](2));
      const cost = (name: "small" | "large"): number => median(results(name));
      const growth = medianRatio(results("large"), results("small"), (millis) => millis);
      costs.push({ kind, small: cost("small"), large: cost("large"), growth });
    }
    return {
      measures: costs.map(({ kind, growth }) => ({
        measure: `\`${kind}\`, cost at ${count(sizes.large)} users and sessions over cost at ${count(sizes.small)}`,
        goal: "flat within noise",
        measured: times(growth),
        met: growth <= noise,
      })),
      raw: costs.map(
        ({ kind, small, large }) =>
          `${kind}: ${ms(small)} a request at ${count(sizes.small)}, ${ms(large)} at ${count(sizes.large)}${remarks[kind]}`,
      ),
    };
  },
};

const remarks = {
  login: " (median latency, one client)",
  refresh: ` (time per request, ${clients} clients)`,
  me: ` (time per request, ${clients} connections)`,
} as const;

/** Makes three measures of one server, each in milliseconds a request. */
async function createSubject(workspace: Workspace, people: Population) {
  const { size, credentials, accessCookie, refreshCookie, takeSessions } = people;
  const server = await startGatehouse(workspace, `gatehouse-growth-${size}`, people.path);
  const cookiesFile = workspace.path(`cookies-${size}`);
  const scatteredUsers = takeSessions(sizes.small);
  const cookies = await Promise.all(scatteredUsers.map(accessCookie));
  await Bun.write(cookiesFile, cookies.join("\n"));
  const newestCookies = new Map<number, string>();
  let turns = 0;
  const nextUser = (): number => scatteredUsers[turns++ % scatteredUsers.length] ?? 0;

  async function logIn(connection: HttpConnection): Promise<void> {
    const { status } = await connection.send(post("/api/v1/auth/login", credentials(nextUser())));
    if (status !== 200) throw new Error(`a login with the right password got ${status}`);
  }

  async function refresh(connection: HttpConnection): Promise<void> {
    const user = nextUser();
    const cookie = newestCookies.get(user) ?? refreshCookie(user);
    newestCookies.set(user, cookiesOf(await connection.send(post("/api/v1/auth/refresh", undefined, cookie))));
  }

  return {
    visit: () => visitWithEach(server, mePath, cookies),
    login: (seconds: number) =>
      withConnections(server.port, 1, async (all) => (await closedLoop(all, seconds, logIn)).p50Ms),
    refresh: (seconds: number) =>
      withConnections(server.port, clients, async (all) => 1_000 / (await closedLoop(all, seconds, refresh)).perSecond),
    me: async (seconds: number) =>
      1_000 / (await wrk(workspace, server, { path: mePath, seconds, cookiesFile })).perSecond,
  };
}
