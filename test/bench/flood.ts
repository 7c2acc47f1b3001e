import { count, mib, ms, percent, type Measure, type Part } from "./findings.ts";
import { helloPath, startGatehouse } from "./gatehouse.ts";
import { openConnection, post, type HttpConnection } from "./http.connection.ts";
import { closedLoop, openLoop } from "./load.ts";
import type { Population } from "./population.ts";
import { probe, type Probed } from "./prober.ts";
import type { Server } from "./workspace.ts";

const beyondCapacity = 10;
const seconds = 30;
const idleSeconds = 8;
const restSeconds = 5;
const maxInFlight = 1_024;
const paths = ["/-/health", helloPath];
const ownLimitBytes = 256 * 2 ** 20;
const memoryEveryMs = 100;

/** Measures ten times the logins that two cores can check: the rest of the service goes on, and excess logins are told to come back. */
export const flood: Part = {
  name: "flood",
  limitSeconds: 120,
  async run({ workspace, population }) {
    const people = await population(1_000_000);
    const server = await startGatehouse(workspace, "gatehouse-flood", people.path);
    const cookie = await people.accessCookie(0);
    const ask = (duration: number): Promise<Probed> => probe(workspace, { server, paths, cookie, seconds: duration });

    const logins = createLogins(server, people);
    await ask(2);
    const idle = await ask(idleSeconds);
    const capacity = await logins.capacity();
    const idleMemory = await server.memory();
    const offered = capacity * beyondCapacity;
    const probing = ask(seconds);
    const flooding = Promise.allSettled([probing, openLoop(offered, seconds, logins.send)]);
    const mostBytes = await mostMemory(server, flooding);
    const during = await probing;
    const { tally, unsent } = await logins.end();
    await Bun.sleep(restSeconds * 1_000);
    const after = await server.memory();

    const sent = [...tally.values()].reduce((sum, each) => sum + each, 0);
    const answered = (status: number | string): number => tally.get(status) ?? 0;
    const measures = paths.map((path): Measure => {
      const added = p99(during, path) - p99(idle, path);
      return {
        measure: `login flood, ${beyondCapacity}× capacity, ${seconds} s: p99 of \`${path}\` above its idle p99`,
        goal: "≤ 20 ms",
        measured: ms(added),
        met: added <= 20,
      };
    });
    const refused = answered("503 with Retry-After");
    const onlyThese = refused + answered(200) === sent && unsent === 0;
    return {
      measures: [
        ...measures,
        {
          measure: "the same: excess refused with 503 and Retry-After",
          goal: "all of it",
          measured: `${percent(refused / sent)} of ${count(sent)} refused, ${percent(answered(200) / sent)} served`,
          met: onlyThese,
        },
        {
          measure: "the same: resident memory without the mapped database file, most and after",
          goal: "bounded",
          measured: `${mib(mostBytes)}, ${mib(after.ownBytes)} (before: ${mib(idleMemory.ownBytes)})`,
          met: mostBytes <= ownLimitBytes,
        },
      ],
      raw: [
        `flood: capacity ${count(capacity)} logins/s, offered ${count(offered)}/s, answers ${[...tally].map(([status, n]) => `${status}: ${count(n)}`).join(", ")}, not sent because 1,024 were waiting: ${count(unsent)}`,
        `resident memory with the mapped database file: ${mib(idleMemory.residentBytes)} before, ${mib(after.residentBytes)} after`,
        ...[
          ...idle.map((each) => ["idle", each] as const),
          ...during.map((each) => ["during the flood", each] as const),
        ].map(
          ([when, { path, p50Ms, p99Ms, maxMs }]) =>
            `${path}, ${when}: p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, longest ${ms(maxMs)}`,
        ),
      ],
    };
  },
};

/** Returns the most own memory of the server until then. */
async function mostMemory({ memory }: Server, until: Promise<unknown>): Promise<number> {
  let over = false;
  const watching = until.finally(() => (over = true));
  let most = 0;
  while (!over) {
    most = Math.max(most, (await memory()).ownBytes);
    await Bun.sleep(memoryEveryMs);
  }
  await watching;
  return most;
}

function p99(probed: Probed, path: string): number {
  const found = probed.find((each) => each.path === path);
  if (found === undefined) throw new Error(`${path} was not asked`);
  return found.p99Ms;
}

/** Makes logins of ever other users with their right passwords, over as many connections as needed. */
function createLogins(server: Server, { credentials, size }: Population) {
  const tally = new Map<number | string, number>();
  const idle: HttpConnection[] = [];
  const inFlight = new Set<Promise<void>>();
  let next = 0;
  let unsent = 0;

  const note = (answer: number | string): void => void tally.set(answer, (tally.get(answer) ?? 0) + 1);

  async function logIn(connection: HttpConnection): Promise<void> {
    next += 1;
    const { status, retryAfter } = await connection.send(post("/api/v1/auth/login", credentials(next % size)));
    note(status === 503 && retryAfter !== undefined ? "503 with Retry-After" : status);
  }

  async function logInOnce(): Promise<void> {
    try {
      const connection = idle.pop() ?? (await openConnection(server.port));
      await logIn(connection);
      idle.push(connection);
    } catch {
      note("connection lost");
    }
  }

  return {
    async capacity(): Promise<number> {
      const connections = await Promise.all(Array.from({ length: 8 }, () => openConnection(server.port)));
      const { perSecond } = await closedLoop(connections, 4, logIn);
      idle.push(...connections);
      tally.clear();
      return perSecond;
    },

    send: (): void => {
      if (inFlight.size >= maxInFlight) {
        unsent += 1;
        return;
      }
      const login: Promise<void> = logInOnce().finally(() => inFlight.delete(login));
      inFlight.add(login);
    },

    async end() {
      await Promise.all(inFlight);
      for (const connection of idle) connection.close();
      return { tally, unsent };
    },
  };
}
