import { endsWithin } from "../../src/core/pace/deadline.ts";
import { createHttpService, type HttpService } from "../property/service.http.ts";
import { startTarget, type Target } from "../support/target.ts";

type Role = "http" | "worker" | "scheduler";

interface Place {
  readonly role: Role;
  target: Target | undefined;
  service: HttpService | undefined;
  died: PromiseWithResolvers<void>;
  /** Settled by the next change that the process acknowledges. */
  acknowledged: PromiseWithResolvers<void>;
  kills: number;
}

const roles: readonly Role[] = ["http", "http", "worker", "scheduler"];
/** A killed process is gone in a moment. One that breaks a connection but lives on is a finding. */
const deathLimitMs = 15_000;
const serviceLimitMs = 60_000;
const answerLimitMs = 500;

/** Makes a fleet of two `api`, one `worker` and one `scheduler` on one database. Each may be killed and replaced at any time. */
export function createFleet(env: Readonly<Record<string, string>>) {
  const places = roles.map((role): Place => ({
    role,
    target: undefined,
    service: undefined,
    died: Promise.withResolvers(),
    acknowledged: Promise.withResolvers(),
    kills: 0,
  }));
  const apis = places.filter(({ role }) => role === "http");
  /** Logs of processes that are gone. */
  const logs: string[] = [];
  const findings: string[] = [];
  /** One service a place, as clients find it: requests to a dead one go to the other. */
  const services: HttpService[] = [];
  let served = Promise.withResolvers<void>();

  function route(): void {
    const alive = apis.flatMap(({ service }) => service ?? []);
    const [any] = alive;
    if (any === undefined) {
      served = Promise.withResolvers();
      return;
    }
    apis.forEach(({ service = any }, index) => (services[index] = service));
    served.resolve();
  }

  async function start(place: Place, migrate = false): Promise<void> {
    const died = Promise.withResolvers<void>();
    const target = await startTarget({ env, roles: [place.role], ownProcess: true, migrate });
    place.died = died;
    place.target = target;
    if (place.role !== "http") return;
    place.service = createHttpService(target.url, {
      acknowledged: () => place.acknowledged.resolve(),
      async died() {
        if (!(await endsWithin(died.promise, deathLimitMs)))
          findings.push(`no answer from a process that lives: ${target.url}`);
      },
    });
    route();
  }

  async function kill(place: Place): Promise<void> {
    const { target } = place;
    if (target === undefined) return;
    place.target = undefined;
    place.service = undefined;
    place.kills += 1;
    if (place.role === "http") route();
    await target.kill();
    logs.push(target.logs());
    place.died.resolve();
  }

  return {
    places,
    services,
    findings,
    /** The logs of all processes that have ended. */
    logs: (): string => logs.join("\n"),
    killsOf: (role: Role): number =>
      places.filter((place) => place.role === role).reduce((sum, { kills }) => sum + kills, 0),

    async startAll(): Promise<void> {
      const [first, ...others] = places;
      if (first !== undefined) await start(first, true);
      await Promise.all(others.map((place) => start(place)));
    },

    kill,
    start,
    restartAll: async (): Promise<void> => {
      await Promise.all(places.map(kill));
      await Promise.all(places.map((place) => start(place)));
    },

    /** Waits while no `api` is up. */
    async untilServed(): Promise<void> {
      if (!(await endsWithin(served.promise, serviceLimitMs))) throw new Error("no api came up");
    },

    async stop(): Promise<void> {
      const codes = await Promise.all(
        places.map(async ({ target }) => {
          const code = await target?.stop();
          logs.push(target?.logs() ?? "");
          return code;
        }),
      );
      if (codes.some((code) => code !== 0)) findings.push(`exit codes ${codes.join(", ")}`);
    },
  };
}

export type Fleet = ReturnType<typeof createFleet>;

/** Kills one process or two at random and replaces them, until the time is over. */
export async function torment(fleet: Fleet, choose: (of: number) => number, until: number): Promise<void> {
  const one = () => fleet.places[choose(fleet.places.length)];
  while (performance.now() < until) {
    await Bun.sleep(Math.min(150 + choose(1_200), until - performance.now()));
    const victims = new Set([one(), ...(choose(4) === 0 ? [one()] : [])].filter((each) => each !== undefined));
    await Promise.all(
      [...victims].map(async (place) => {
        // Most of the time an api dies at the very moment at which it has acknowledged a change.
        if (place.role === "http" && choose(4) > 0) {
          place.acknowledged = Promise.withResolvers();
          await endsWithin(place.acknowledged.promise, answerLimitMs);
        }
        await fleet.kill(place);
        await Bun.sleep(choose(300));
        await fleet.start(place);
      }),
    );
  }
}
