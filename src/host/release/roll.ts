import { second } from "../../core/clock.ts";
import { HostFailure, type System } from "../system/index.ts";
import { interruption, quoted, type Narration } from "./narration.ts";
import type { Units } from "./units.ts";

export interface Pace {
  /** The rest after each instance, in which a proxy can notice that the instance is back. */
  readonly settleMs: number;
  readonly readyWithinMs: number;
}

interface RollOptions {
  readonly app: string;
  readonly system: Pick<System, "systemd">;
  readonly units: Units;
  readonly narration: Narration;
  readonly pace: Pace;
}

/** How long a worker or scheduler must stay up to count as running. */
const staysUpMs = 0.5 * second;
const askEveryMs = 100;
const linesOfFailure = 15;

export function createRoll({ app, system, units, narration, pace }: RollOptions) {
  const { systemd } = system;
  /** Units whose restart was tried, in that order. */
  const touched: string[] = [];

  /** Whether the unit becomes ready within the time limit and then stays up with the same process. */
  async function isReadyAgain(unit: string, release: string): Promise<boolean> {
    const pid = await units.pidOf(unit);
    const until = performance.now() + pace.readyWithinMs;
    if (units.servesHttp(unit))
      while (!(await units.answers(unit))) {
        if (performance.now() >= until || narration.isInterrupted() || !(await units.isUp(unit))) return false;
        await Bun.sleep(askEveryMs);
      }
    await Bun.sleep(units.servesHttp(unit) ? pace.settleMs : staysUpMs);
    return (await units.isUp(unit)) && (await units.pidOf(unit)) === pid && (await units.runsRelease(unit, release));
  }

  /** Restarts a service: its readiness turns 503, it goes on serving for APP_DRAIN_DELAY, ends its work in hand, and starts anew. */
  async function restart(unit: string, release: string): Promise<boolean> {
    const restarted = await systemd.act("restart", [unit]);
    return restarted.code === 0 && (await isReadyAgain(unit, release));
  }

  /** Throws if no other instance serves although there are others. Warns if the unit is the only one. */
  async function requireAnother(unit: string, all: readonly string[]): Promise<void> {
    const others = all.filter((each) => each !== unit && units.servesHttp(each));
    for (const other of others) if (await units.answers(other)) return;
    if (others.length > 0)
      throw new HostFailure(
        "no other instance is ready",
        `find out why (journalctl -u '${app}-*'), then run this again`,
      );
    narration.say(`${unit} is the only one: nothing serves while it restarts`);
  }

  async function explainFailure(unit: string): Promise<HostFailure> {
    const lines = await systemd.journal(unit, { last: linesOfFailure });
    for (const line of quoted(lines.join("\n"))) narration.complain(line);
    const port = lines.map((line) => occupied.exec(line)?.[1]).findLast((each) => each !== undefined);
    return port === undefined
      ? new HostFailure(
          `${unit} did not become ready`,
          "see the lines above: correct the release or the settings, then run this again",
        )
      : new HostFailure(
          `${unit} did not become ready, because another program has port ${port}`,
          `end that program (ss -ltnp 'sport = :${port}' names it) or change the port in the settings, then run this again`,
        );
  }

  async function rollTo(unit: string, release: string, all: readonly string[]): Promise<void> {
    // An instance that does not serve can be restarted at any time.
    if (units.servesHttp(unit) && (await units.answers(unit))) await requireAnother(unit, all);
    narration.heedInterrupt();
    touched.push(unit);
    if (!(await restart(unit, release))) {
      if (narration.isInterrupted()) throw interruption();
      throw await explainFailure(unit);
    }
    const isClosed = units.servesHttp(unit) && (await units.answer(unit)) === "maintenance";
    narration.say(
      isClosed
        ? `${unit} runs release ${release}; it is in maintenance, so that its smoke request could not be tried`
        : `${unit} runs release ${release}`,
    );
  }

  return {
    /**
     * Rolls the release out to all units. Throws at the first that does not come up. With `again`, units that run the release already are
     * restarted too.
     */
    async roll(release: string, all: readonly string[], { again }: { readonly again: boolean }): Promise<void> {
      for (const unit of all) {
        narration.begin(`rolling out release ${release} to ${unit}`);
        if (!again && (await units.isUp(unit)) && (await units.runsRelease(unit, release)))
          narration.say(`${unit} runs it already`);
        else await rollTo(unit, release, all);
      }
    },

    /**
     * Restores the release. The service that failed comes first: the others serve meanwhile. Units that an earlier release left elsewhere,
     * when it was cut off, come last.
     */
    async putBack(release: string, all: readonly string[]): Promise<void> {
      const strays: string[] = [];
      for (const unit of all)
        if (!touched.includes(unit) && !(await units.runsRelease(unit, release))) strays.push(unit);
      for (const unit of [...touched.toReversed(), ...strays])
        narration.complain(
          (await restart(unit, release))
            ? `${unit} is back on release ${release}`
            : `${unit} DOES NOT COME BACK on release ${release} either: journalctl -u ${unit}`,
        );
    },
  };
}

/** Message of the runtime: `Is port 3000 in use?` */
const occupied = /\bport (\d{1,5}) in use/;
