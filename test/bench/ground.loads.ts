import { second } from "../../src/core/clock.ts";
import { startMailbox } from "../support/smtp.ts";
import { median } from "./findings.ts";
import { cookiesOf, startGatehouse } from "./gatehouse.ts";
import type { Ground } from "./ground.ts";
import { get, post, withConnections, type HttpConnection, type HttpReply } from "./http.connection.ts";
import { closedLoop, medianOf } from "./load.ts";
import type { Population } from "./population.ts";
import type { Server, Workspace } from "./workspace.ts";

const rounds = 3;
/** New code is slow for some thousands of calls, and the first touch of a page after a checkpoint writes all of it to the log. */
const warmUpSeconds = 4;
const mailLimitMs = 120_000;
const triesWhenBusy = 5;

interface Done {
  readonly done: number;
  readonly perSecond: number;
  readonly p50Ms: number;
}

/** What one request costs, all of it counted: in the service and in the database. */
export interface Cost {
  readonly serviceMicros: number;
  readonly databaseMicros: number;
  readonly writtenBytes: number;
  /** Transactions that use up an id of PostgreSQL. */
  readonly transactions: number;
  readonly perSecond: number;
  readonly p50Ms: number;
}

/** How many callers and seconds a round has. */
export interface Size {
  readonly callers: number;
  readonly seconds: number;
}

/** Starts the service on a database, with a mail server that takes every mail. */
export async function startLoads(
  workspace: Workspace,
  ground: Ground,
  people: Omit<Population, "path">,
  takers: number,
) {
  const mailbox = await startMailbox();
  const env = {
    ...ground.env,
    MAIL_DRIVER: "smtp",
    MAIL_SMTP_HOST: "127.0.0.1",
    MAIL_SMTP_PORT: String(mailbox.port),
    MAIL_SMTP_TLS: "off",
  };
  const server = await startGatehouse(workspace, `gatehouse-${ground.name}`, ground.path, { env });
  const taken = people.takeSessions(takers);
  const costOf = (work: () => Promise<Done>) => costIn(ground, server, work);

  /** Runs a warm-up and rounds of one request. Resolves to the median of each figure. */
  async function rounded({ callers, seconds }: Size, turn: (connection: HttpConnection) => Promise<void>) {
    return await withConnections(server.port, callers, async (connections) => {
      await closedLoop(connections, warmUpSeconds, turn);
      const costs: Cost[] = [];
      for (let round = 0; round < rounds; round += 1) {
        costs.push(
          await costOf(async () => {
            let done = 0;
            const load = await closedLoop(connections, seconds, async (connection) => {
              await turn(connection);
              done += 1;
            });
            return { ...load, done };
          }),
        );
      }
      return medianCost(costs);
    });
  }
  const cookies = (): Promise<string[]> => Promise.all(taken.map(people.accessCookie));
  const ask = async (connection: HttpConnection, cookie: string): Promise<void> => {
    await answered(connection, get("/api/v1/auth/verify", cookie));
  };
  let turns = 0;
  const next = (of: readonly number[]): number => of[turns++ % of.length] ?? 0;

  return {
    server,

    /** Signs people in whose browsers the accounts know. */
    async logins(size: Size, users: number): Promise<Cost> {
      const known = taken.slice(0, users);
      const devices = new Map<number, string>();
      const signIn = async (connection: HttpConnection): Promise<void> => {
        const user = next(known);
        const { setCookies } = await answered(
          connection,
          post("/api/v1/auth/login", people.credentials(user), devices.get(user)),
        );
        const device = setCookies.find((cookie) => cookie.startsWith("auth_device="))?.split(";")[0];
        if (device !== undefined) devices.set(user, device);
      };
      await withConnections(server.port, size.callers, async (connections) => {
        const before = turns;
        await Promise.all(
          connections.map(async (connection) => {
            while (turns - before < users) await signIn(connection);
          }),
        );
      });
      return await rounded(size, signIn);
    },

    /** Swaps refresh tokens of sessions in turn. */
    async refreshes(size: Size): Promise<Cost> {
      const newest = new Map<number, string>();
      return await rounded(size, async (connection) => {
        const user = next(taken);
        const cookie = newest.get(user) ?? people.refreshCookie(user);
        newest.set(user, cookiesOf(await answered(connection, post("/api/v1/auth/refresh", undefined, cookie))));
      });
    },

    /** Asks who is calling, of sessions in turn whose visit was kept within the last minute. */
    async checks(size: Size): Promise<Cost> {
      const all = await cookies();
      return await rounded(size, (connection) => ask(connection, all[turns++ % all.length] ?? ""));
    },

    /** Asks it once for each session, which keeps the time of the visit where the last one was more than a minute ago. */
    async visits(callers: number): Promise<Cost> {
      const left = (await cookies()).values();
      return await withConnections(server.port, callers, (connections) =>
        costOf(() =>
          counted(connections, async (connection) => {
            const { value, done } = left.next();
            if (done !== true) await ask(connection, value);
            return done !== true;
          }),
        ),
      );
    },

    /** Has mails sent that reset passwords, until the mail server has all of them: to `wanted` people, from the one with that number. */
    async mailsSent(callers: number, from: number, wanted: number): Promise<Cost> {
      const before = mailbox.all().length;
      const left = taken.slice(from, from + wanted).values();
      return await withConnections(server.port, callers, (connections) =>
        costOf(async () => {
          const started = performance.now();
          await counted(connections, async (connection) => {
            const { value, done } = left.next();
            if (done === true) return false;
            const body = { login: people.credentials(value).login };
            await answered(connection, post("/api/v1/auth/password-reset/request", body));
            return true;
          });
          while (mailbox.all().length - before < wanted) {
            if (performance.now() - started > mailLimitMs)
              throw new Error(`${mailbox.all().length - before} of ${wanted} mails came`);
            await Bun.sleep(20);
          }
          const seconds = (performance.now() - started) / 1_000;
          return { done: wanted, perSecond: wanted / seconds, p50Ms: Number.NaN };
        }),
      );
    },

    async stop(): Promise<void> {
      await server.stop();
      await mailbox.stop();
    },
  };
}

/** Sends a request, and again a little later where the machine was too busy for it. */
async function answered(connection: HttpConnection, request: string): Promise<HttpReply> {
  for (let left = triesWhenBusy; ; left -= 1) {
    const reply = await connection.send(request);
    if (reply.status === 200 || reply.status === 204) return reply;
    const isBusy = reply.status === 503 && left > 0;
    if (!isBusy) throw new Error(`${request.slice(0, request.indexOf(" HTTP"))} got ${reply.status} ${reply.body}`);
    await Bun.sleep(second);
  }
}

/** Lets each connection take turns until there is none left. */
async function counted(
  connections: readonly HttpConnection[],
  turn: (connection: HttpConnection) => Promise<boolean>,
): Promise<Done> {
  const latencies: number[] = [];
  const started = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let asked = started; await turn(connection);) {
        const now = performance.now();
        latencies.push(now - asked);
        asked = now;
      }
    }),
  );
  const done = latencies.length;
  const perSecond = done / ((performance.now() - started) / 1_000);
  return { done, perSecond, p50Ms: median(latencies) };
}

async function costIn(ground: Ground, server: Server, work: () => Promise<Done>): Promise<Cost> {
  const now = async () => ({
    service: await server.cpuSeconds(),
    database: await ground.cpuSeconds(),
    written: await ground.written(server),
    transactions: await ground.transactions(),
  });
  const before = await now();
  const { done, perSecond, p50Ms } = await work();
  const after = await now();
  return {
    serviceMicros: ((after.service - before.service) / done) * 1_000_000,
    databaseMicros: ((after.database - before.database) / done) * 1_000_000,
    writtenBytes: (after.written - before.written) / done,
    transactions: (after.transactions - before.transactions) / done,
    perSecond,
    p50Ms,
  };
}

function medianCost(costs: readonly Cost[]): Cost {
  const of = (figure: keyof Cost): number => medianOf(costs, (cost) => cost[figure]);
  return {
    serviceMicros: of("serviceMicros"),
    databaseMicros: of("databaseMicros"),
    writtenBytes: of("writtenBytes"),
    transactions: of("transactions"),
    perSecond: of("perSecond"),
    p50Ms: of("p50Ms"),
  };
}
