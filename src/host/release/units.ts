import type { System } from "../system/index.ts";
import { askProcess, type Answer, type Smoke } from "./serving.ts";
import type { Places } from "./places.ts";

const roles = ["api", "worker", "scheduler"] as const;

interface UnitsOptions {
  readonly app: string;
  readonly system: System;
  readonly places: Places;
  readonly smoke: Smoke;
}

export type Units = ReturnType<typeof createUnits>;

/** Tells the state of an app's services. */
export function createUnits({ app, system, places, smoke }: UnitsOptions) {
  const { systemd, processes } = system;

  const isUp = async (unit: string): Promise<boolean> => (await systemd.state(unit)).active === "active";
  const pidOf = async (unit: string): Promise<number> => (await systemd.state(unit)).mainPid;
  const servesHttp = (unit: string): boolean => unit.startsWith(`${app}-api@`) || unit === `${app}-run.service`;
  async function answer(unit: string): Promise<Answer> {
    const pid = await pidOf(unit);
    return pid === 0 ? "no" : askProcess(pid, smoke, system);
  }
  const answers = async (unit: string): Promise<boolean> => (await answer(unit)) !== "no";

  return {
    isUp,
    pidOf,
    servesHttp,
    answer,
    answers,

    /** Returns the units that run or should: first those that are down, then the rest in the order of a roll-out. */
    async find(): Promise<readonly string[]> {
      const patterns = ["worker", "scheduler", "run", "api@*"].map((each) => `${app}-${each}.service`);
      const found = await systemd.list(patterns, ["active", "activating", "reloading", "failed"]);
      // The order is worker, scheduler, run, api, which is the alphabet backwards: a new worker understands the jobs of the old release,
      // but an old worker does not understand those of the new one.
      const [up, down]: [string[], string[]] = [[], []];
      for (const unit of found.toSorted().toReversed()) {
        const isWell = (await isUp(unit)) && (!servesHttp(unit) || (await answers(unit)));
        (isWell ? up : down).push(unit);
      }
      // Units that are down come first: no instance is taken out of traffic while another one is down.
      return [...down, ...up];
    },

    runsRelease: async (unit: string, release: string): Promise<boolean> =>
      (await processes.executableOf(await pidOf(unit))) === places.binaryOf(release),
  };
}

/** Returns the roles that run as separate units: each role's settings are checked by its own rules. */
export const rolesOf = (app: string, units: readonly string[]): readonly string[] =>
  roles.filter((role) => units.some((unit) => unit === `${app}-${role}.service` || unit.startsWith(`${app}-${role}@`)));
