import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { count, median, ms, type Part } from "./findings.ts";
import { cookiesOf, startGatehouse } from "./gatehouse.ts";
import { openConnection, post, type HttpConnection } from "./http.connection.ts";
import { closedLoop, medianOf, type Load } from "./load.ts";
import type { Server } from "./workspace.ts";

const rounds = 3;
const seconds = 5;
/** Warm-up, since new code is slow for some thousands of calls, and its compilation takes processor time from everything. */
const warmUpSeconds = 5;
export const clients = 32;

interface Chain {
  readonly connection: HttpConnection;
  cookie: string;
}

/** Lets each client swap its own refresh secret as fast as it gets the next one. Resolves to the rounds. */
export async function rotate(server: Server, cookies: readonly string[]): Promise<readonly Load[]> {
  const chains: Chain[] = [];
  for (const cookie of cookies) chains.push({ connection: await openConnection(server.port), cookie });
  const swap = async (chain: Chain): Promise<void> => {
    chain.cookie = cookiesOf(await chain.connection.send(post("/api/v1/auth/refresh", undefined, chain.cookie)));
  };
  await closedLoop(chains, warmUpSeconds, swap);
  const results: Load[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await closedLoop(chains, seconds, swap));
  for (const { connection } of chains) connection.close();
  return results;
}

/** Measures swaps, each of which is on the disk when it is answered. */
export const rotation: Part = {
  name: "rotation",
  limitSeconds: 60,
  async run({ workspace, population }) {
    const { path, refreshCookie, takeSessions } = await population(1_000_000);
    const server = await startGatehouse(workspace, "gatehouse-rotation", path);
    const results = await rotate(server, takeSessions(clients).map(refreshCookie));

    const perSecond = medianOf(results, (load) => load.perSecond);
    return {
      measures: [
        {
          measure: `refresh rotations, durable, ${clients} clients, 1,000,000 sessions`,
          goal: "≥ 3,000/s",
          measured: `${count(perSecond)}/s`,
          met: perSecond >= 3_000,
        },
      ],
      raw: [
        `rotations: p50 ${ms(medianOf(results, ({ p50Ms }) => p50Ms))}, p99 ${ms(medianOf(results, ({ p99Ms }) => p99Ms))}` +
          ` (rounds: ${results.map((load) => count(load.perSecond)).join(" ")}); one fdatasync of 4 KiB here: ${ms(syncMs(workspace.path("sync")))}`,
      ],
    };
  },
};

/** Returns the median cost of durability on this disk. */
function syncMs(path: string): number {
  const file = openSync(path, "w");
  const block = new Uint8Array(4_096);
  const taken = Array.from({ length: 200 }, () => {
    const started = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return median(taken);
}
