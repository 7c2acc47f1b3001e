import { median, percentile } from "./findings.ts";
import type { Server } from "./workspace.ts";

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Runs clients until the time is up: each starts its next turn when the last one is done. */
export async function closedLoop<Client>(
  clients: readonly Client[],
  seconds: number,
  turn: (client: Client) => Promise<void>,
): Promise<Load> {
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      for (let now = performance.now(); now < until;) {
        await turn(client);
        const done = performance.now();
        latencies.push(done - now);
        now = done;
      }
    }),
  );
  return { perSecond: latencies.length / ((performance.now() - started) / 1_000), ...latencySummary(latencies) };
}

export interface Asked extends Load {
  /** The server's processor time per answer, in microseconds, which stays comparable on a busy machine. */
  readonly cpuMicros: number;
}

/** Runs clients of a server until the time is up, as `closedLoop` does. */
export async function askInTurns<Client>(
  server: Pick<Server, "cpuSeconds">,
  clients: readonly Client[],
  seconds: number,
  turn: (client: Client) => Promise<void>,
): Promise<Asked> {
  let answers = 0;
  const cpuBefore = await server.cpuSeconds();
  const load = await closedLoop(clients, seconds, async (client) => {
    answers += 1;
    await turn(client);
  });
  const cpuMicros = (((await server.cpuSeconds()) - cpuBefore) / answers) * 1_000_000;
  return { ...load, cpuMicros };
}

const tickMs = 5;

/** Calls `start` at a steady rate, whatever becomes of the calls, as strangers do. */
export async function openLoop(perSecond: number, seconds: number, start: () => void): Promise<void> {
  const began = performance.now();
  for (let started = 0; started < perSecond * seconds;) {
    const due = Math.min(perSecond * seconds, ((performance.now() - began) / 1_000) * perSecond);
    for (; started < due; started += 1) start();
    await Bun.sleep(tickMs);
  }
}

const pauseMs = 5;

/** Takes turns with a pause between, like a client that only wants to know how long an answer takes. */
export async function steadily(isOver: () => boolean, turn: () => Promise<void>): Promise<number[]> {
  const latencies: number[] = [];
  while (!isOver()) {
    const started = performance.now();
    await turn();
    latencies.push(performance.now() - started);
    await Bun.sleep(pauseMs);
  }
  return latencies;
}

export const latencySummary = (latencies: readonly number[]) => ({
  p50Ms: median(latencies),
  p99Ms: percentile(latencies, 0.99),
  maxMs: percentile(latencies, 1),
});

/** Runs A B C A B C …, so that disturbances of the machine affect all alike. Resolves to the results by name. */
export async function interleave<Name extends string, Result>(
  rounds: number,
  names: readonly Name[],
  measure: (name: Name) => Promise<Result>,
): Promise<(name: Name) => readonly Result[]> {
  const results = new Map<Name, Result[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results.get(name)?.push(await measure(name));
  }
  return (name) => results.get(name) ?? [];
}

export const medianOf = <Result>(results: readonly Result[], figure: (result: Result) => number): number =>
  median(results.map(figure));

/** Returns the median of the ratios by round: a disturbance in a round slows both sides of its ratio. */
export function medianRatio<Result>(
  of: readonly Result[],
  to: readonly Result[],
  figure: (result: Result) => number,
): number {
  return median(of.map((result, round) => figure(result) / figure(to[round] ?? result)));
}

/** Resolves to this process's processor time for the work. */
export async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
