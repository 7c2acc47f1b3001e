import { Database } from "bun:sqlite";
import { resolve } from "node:path";
import { count, median, ms, percentile, type Part } from "./findings.ts";
import { cookiesOf, environment, register } from "./gatehouse.ts";
import { get, openConnection, post } from "./http.connection.ts";
import { steadily } from "./load.ts";
import { flushToDisk, type Server } from "./workspace.ts";

const size = 1_000_000;
const idleMs = 3_500;
const longestMs = 120_000;
const doneMessage = "stale rows deleted";

/** Measures the hourly cleanup of a million expired sessions in the serving process, while clients read and write. */
export const cleanup: Part = {
  name: "cleanup",
  limitSeconds: 180,
  async run({ workspace, population }) {
    const { path } = await population(size);
    const expired = expireAllSessions(path);
    flushToDisk(path);
    const server = await workspace.start({
      name: "gatehouse-cleanup",
      command: ["bun", resolve(import.meta.dir, "cleanup.server.ts")],
      env: environment(path),
      portVariable: "API_HTTP_PORT",
      readyPath: "/-/ready",
    });
    const clients = createClients(server, await register(server, "grace"));
    const idleUntil = performance.now() + idleMs;
    const idle = await clients(() => performance.now() >= idleUntil);

    const started = performance.now();
    let over = false;
    const done = untilCleaned(server).finally(() => (over = true));
    const [during] = await Promise.all([clients(() => over), done]);
    const seconds = (performance.now() - started) / 1_000;
    const left = countSessions(path);
    if (left > 1) throw new Error(`the cleanup left ${left} sessions`);

    const added = Math.max(
      ...during.map(({ latencies }, index) => percentile(latencies, 1) - median(idle[index]?.latencies ?? [])),
    );
    return {
      measures: [
        {
          measure: `\`auth:cleanup\` of ${count(expired)} expired sessions in the serving process: longest delay it adds to a request`,
          goal: "≤ 50 ms",
          measured: ms(added),
          met: added <= 50,
        },
      ],
      raw: [
        `cleanup: done within ${seconds.toFixed(0)} s`,
        ...[idle, during].flatMap((each, index) =>
          each.map(
            ({ name, latencies }) =>
              `${name}, ${index === 0 ? "before" : "during"} the cleanup: p50 ${ms(median(latencies))}, p99 ${ms(percentile(latencies, 0.99))}, longest ${ms(percentile(latencies, 1))} of ${count(latencies.length)}`,
          ),
        ),
      ],
    };
  },
};

function expireAllSessions(path: string): number {
  const database = new Database(path, { strict: true });
  for (const pragma of ["journal_mode = off", "synchronous = off", "cache_size = -400000"])
    database.run(`pragma ${pragma}`);
  const { changes } = database.run("update auth_sessions set expires_at = ?", [Date.now() - 1]);
  database.run("pragma journal_mode = wal");
  database.close(true);
  return changes;
}

/** Waits for the cleanup by the server's log: queries of its database would get in its way. */
async function untilCleaned(server: Server): Promise<void> {
  const deadline = performance.now() + longestMs;
  while (!(await server.output()).includes(doneMessage)) {
    if (performance.now() > deadline) throw new Error(`the cleanup was not done after ${longestMs / 1_000} s`);
    await Bun.sleep(250);
  }
}

function countSessions(path: string): number {
  const database = new Database(path, { readonly: true });
  const row = database.query<{ sessions: number }, []>("select count(*) as sessions from auth_sessions").get();
  database.close();
  return row?.sessions ?? 0;
}

/** Makes three clients, which run until it is over: one asks for nothing, one reads, one writes. */
function createClients(server: Server, cookie: string) {
  let rotating = cookie;
  const requests = [
    { name: "/-/health", next: () => get("/-/health") },
    { name: "/api/v1/auth/me", next: () => get("/api/v1/auth/me", cookie) },
    { name: "/api/v1/auth/refresh", next: () => post("/api/v1/auth/refresh", undefined, rotating) },
  ] as const;
  return (isOver: () => boolean) =>
    Promise.all(
      requests.map(async ({ name, next }) => {
        const connection = await openConnection(server.port);
        const latencies = await steadily(isOver, async () => {
          const reply = await connection.send(next());
          if (reply.status !== 200) throw new Error(`${name} answered ${reply.status}`);
          if (reply.setCookies.length > 0) rotating = cookiesOf(reply);
        });
        connection.close();
        return { name, latencies };
      }),
    );
}
