import { readdir } from "node:fs/promises";
import { explainFileError, HostFailure, kernelCode, requireRoot, type System } from "../system/index.ts";
import { activation, createLinks, readStanding, reversal, type Standing } from "./links.ts";
import { createNarration, interruption, type Audience, type Narration } from "./narration.ts";
import { placesOf, type Places } from "./places.ts";
import { checkDatabase, checkEnvironment, createDatabase, migrate } from "./prepare.ts";
import { createRoll, type Pace } from "./roll.ts";
import type { Smoke } from "./serving.ts";
import { removeRelease, stage, verifyStored, type Source } from "./stage.ts";
import type { Unfinished } from "./unfinished.ts";
import { createUnits } from "./units.ts";

export interface ReleaseOptions extends Pace {
  readonly smoke: Smoke;
}

export interface ActivateOptions extends ReleaseOptions {
  readonly source: Source;
  /** Whether to make a missing database: only for the first release of a host. */
  readonly createDatabase: boolean;
}

interface ReleasesOptions {
  /** The name of the app's binary, folder and units. */
  readonly app: string;
  readonly system: System;
  readonly audience: Audience;
  readonly places?: Places;
  /** Finds lines of the settings that set nothing. No service can notice them at its start. */
  readonly deadLines?: () => Promise<readonly string[]>;
}

interface Run {
  readonly narration: Narration;
  /** Brings back what was changed; undefined as long as nothing was. */
  putBack?: () => Promise<void>;
  /** The release to remove if the run fails before its migration. */
  staged?: string | undefined;
  serving?: string | undefined;
}

/**
 * Puts releases into service, one instance after the other, so that no request is lost. Each of the three acts reports its progress, puts
 * back its changes if it fails, and resolves to whether it succeeded.
 */
export function createReleases({ app, system, audience, places = placesOf(app), deadLines }: ReleasesOptions) {
  const { disk, systemd } = system;
  const links = createLinks({ disk, places });

  async function attempt(work: (run: Run, standing: Standing) => Promise<void>): Promise<boolean> {
    const run: Run = { narration: createNarration(audience) };
    let unlock: (() => void) | undefined;
    try {
      requireRoot(system);
      await systemd.check();
      run.narration.begin("taking the lock");
      unlock = system.takeLock(places.lock);
      if (unlock === undefined)
        throw new HostFailure(
          `another release of ${app} is under way`,
          `wait until it is over (journalctl -t ${app}-release -f)`,
        );
      const standing = await readStanding(places);
      run.serving = standing.current;
      await work(run, standing);
      return true;
    } catch (error) {
      await giveUp(error, run);
      return false;
    } finally {
      unlock?.();
    }
  }

  /** Puts back the changes of this run, and says where things stand and what to do. */
  async function giveUp(error: unknown, run: Run): Promise<void> {
    const { narration, staged, serving } = run;
    // After a signal, the step has probably failed because of the signal.
    const known = kernelCode(error) === undefined ? error : explainFileError(error, places.root);
    const cause = narration.isInterrupted() ? interruption() : known;
    narration.ignoreInterrupts();
    narration.complain(`FAILED while ${narration.step}: ${cause instanceof Error ? cause.message : String(cause)}`);
    try {
      if (staged !== undefined) await removeRelease(disk, places, staged);
      await run.putBack?.();
    } catch (failure) {
      narration.complain(`not all could be put back: ${failure instanceof Error ? failure.message : String(failure)}`);
    }
    if (run.putBack === undefined && serving !== undefined)
      narration.complain(`nothing was restarted: release ${serving} goes on serving`);
    const advice = cause instanceof HostFailure ? cause.advice : "this is a bug of the command: see the output above";
    narration.complain(`what to do: ${advice}`);
  }

  async function prune(narration: Narration): Promise<void> {
    const { current, previous } = await readStanding(places);
    for (const name of await releasesIn(places))
      if (name !== current && name !== previous) {
        await removeRelease(disk, places, name);
        narration.say(`release ${name} is removed`);
      }
  }

  /** Brings a release on this host into service. Without a change of links, every service restarts with its present release. */
  async function serve(run: Run, { release, change, prepare, ...options }: ServeOptions): Promise<void> {
    const { narration } = run;
    const units = createUnits({ app, system, places, smoke: options.smoke });
    const found = await units.find();
    const prepared = { app, system, places, narration, release };
    await checkEnvironment(prepared, found);
    for (const line of (await deadLines?.()) ?? []) narration.complain(line);
    narration.heedInterrupt();
    await prepare?.(prepared);
    narration.heedInterrupt();
    const rolling = createRoll({ app, system, units, narration, pace: options });
    narration.begin(`activating release ${release}`);
    run.putBack = async () => {
      if (change === undefined)
        return narration.complain("what was not restarted yet goes on with the settings it has");
      if (change.from === null) return narration.complain("there is no earlier release to go back to");
      await links.undo(change.from, change.earlier);
      await rolling.putBack(change.from, found);
      await links.finish();
      narration.complain(`release ${change.from} is current again`);
    };
    if (change !== undefined) await links.begin(change);
    await rolling.roll(release, found, { again: change === undefined });
    run.putBack = async () => narration.complain(`release ${release} is current, and its services run it`);
    narration.begin("removing old releases");
    await links.finish();
    await prune(narration);
    narration.say(
      found.length === 0
        ? `release ${release} is current; no service runs yet: ${app} host:install starts them`
        : `release ${release} is current, ${found.length} services run it`,
    );
  }

  return {
    activate: ({ source, ...options }: ActivateOptions): Promise<boolean> =>
      attempt(async (run, standing) => {
        run.narration.begin(`staging ${source.path}`);
        const { release, isNew, isSigned, isMended } = await stage({ app, system, places, source });
        if (isNew) run.staged = release;
        const right = isSigned ? "its checksum and its signature are right" : "its checksum is right";
        run.narration.say(`release ${release} is staged, ${right}`);
        if (isMended) run.narration.say("it was on this host already, damaged, and is whole again");
        run.narration.heedInterrupt();
        await serve(run, {
          ...options,
          release,
          change: activation(standing, release),
          async prepare(prepared) {
            if (options.createDatabase) await createDatabase(prepared);
            // From here on a failure keeps the staged release: its migration may have been applied, and only this release can undo it.
            run.staged = undefined;
            await migrate(prepared, run.serving);
          },
        });
      }),

    rollback: (options: ReleaseOptions): Promise<boolean> =>
      attempt(async (run, standing) => {
        run.narration.begin("rolling back");
        const change = reversal(standing);
        if (change === undefined)
          throw new HostFailure(
            "there is no earlier release on this host",
            `put the binary of one into service: ${app} release:activate PATH`,
          );
        run.narration.begin(`verifying release ${change.to}`);
        await verifyStored(places, change.to);
        const way =
          standing.unfinished === undefined
            ? `rolling back from release ${change.from} to ${change.to}`
            : `going back to release ${change.to}, since what was under way was cut off`;
        run.narration.say(`${way}; migrations stay as they are`);
        await serve(run, { ...options, release: change.to, change });
      }),

    restart: (options: ReleaseOptions): Promise<boolean> =>
      attempt(async (run, { current, unfinished }) => {
        run.narration.begin("restarting");
        if (current === undefined)
          throw new HostFailure(
            "there is no release on this host",
            `copy the binary and its .sha256 to this host, then run ./${app} host:install`,
          );
        if (unfinished !== undefined)
          throw new HostFailure(
            `release ${unfinished.to} was cut off on its way into service`,
            `finish it by ${places.binaryOf(unfinished.to)} release:activate, or go back by release:rollback`,
          );
        run.narration.begin(`verifying release ${current}`);
        await verifyStored(places, current);
        await serve(run, { ...options, release: current, change: undefined, prepare: checkDatabase });
      }),
  };
}

interface ServeOptions extends ReleaseOptions {
  readonly release: string;
  readonly change: Unfinished | undefined;
  prepare?(prepared: Parameters<typeof migrate>[0]): Promise<void>;
}

export async function releasesIn(places: Places): Promise<readonly string[]> {
  const names = await readdir(places.releases).catch(() => []);
  return names.filter((name) => !name.startsWith(".")).toSorted();
}
