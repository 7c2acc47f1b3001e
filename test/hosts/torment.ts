import { hostNames } from "./network.ts";
import type { Cluster } from "./cluster.ts";

const restMs = { least: 500, most: 2_000 } as const;
const downMs = 400;

/**
 * Kills Postgres, Redis, an instance or a worker at random and starts it again, until the time is over. Resolves to how often each was
 * killed.
 */
export async function torment(
  { data, hosts, begin }: Cluster,
  settings: Readonly<Record<string, string>>,
  seconds: number,
): Promise<Record<"postgres" | "redis" | "api" | "worker", number>> {
  const kills = { postgres: 0, redis: 0, api: 0, worker: 0 };
  const anyOf = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];
  const rest = (): Promise<void> => Bun.sleep(restMs.least + Math.random() * (restMs.most - restMs.least));
  const until = performance.now() + seconds * 1_000;

  async function replace(role: "http" | "worker"): Promise<void> {
    const host = anyOf(hostNames) ?? "one";
    await hosts[host][role].kill();
    await Bun.sleep(Math.random() * downMs);
    await begin(host, role, settings);
  }
  const acts = {
    async postgres() {
      await data.primary.kill();
      await Bun.sleep(Math.random() * downMs);
      await data.primary.restart();
    },
    async redis() {
      await data.redis.kill();
      await Bun.sleep(Math.random() * downMs);
      await data.redis.restart();
    },
    api: () => replace("http"),
    worker: () => replace("worker"),
  } as const;

  while (performance.now() < until) {
    const victim = anyOf(["postgres", "redis", "api", "worker"] as const) ?? "postgres";
    kills[victim] += 1;
    await acts[victim]();
    await rest();
  }
  return kills;
}
