import { dirname, join } from "node:path";
import { contentHash } from "../../core/crypto.ts";
import { hostApps, type HostApp } from "../files/index.ts";
import { settingsPath } from "../files/settings.ts";
import { hostUnits } from "../files/topology.ts";
import { changedSince } from "../freshness.ts";
import { type System } from "../system/index.ts";
import { planInstall, type InstallOptions, type InstallPlan } from "./plan.ts";
import { createPlace, type Place } from "./place.ts";
import { readRecord, recordPath, recordText, type InstallRecord } from "./record.ts";
import { placeSecret, secretPath } from "./secrets.ts";
import { readIfThere, urlVariable } from "./settings.plan.ts";
import { enableAndStart, lacksOf, takeOverFiles } from "./start.ts";

interface InstallDeps {
  readonly system: System;
  readonly freshSecret: (variable: string) => string;
  /** Makes the running binary the current release, and rolls it out to the running services. */
  readonly activate: (options: { readonly createDatabase: boolean }) => Promise<void>;
  /** Restarts the running services, one instance after the other. */
  readonly restart: () => Promise<void>;
  /** Resolves when the service on the port is ready. Rejects with the reason if that takes too long. */
  readonly untilReady: (port: number) => Promise<void>;
  readonly say: (line: string) => void;
}

/** A restart that the services wait for, since this installation was not the one to decide it. */
export interface DueRestart {
  readonly app: HostApp;
  /** What has changed since its services began. */
  readonly changed: readonly string[];
  readonly command: string;
}

export interface KeptFile {
  readonly path: string;
  readonly difference: readonly string[];
  /** The path of the release's text, if the operator has not seen it yet. */
  readonly offered?: string;
}

/** What was done, or would be done. `deeds` are acts other than writing files, in words. */
export type Installed = Awaited<ReturnType<ReturnType<typeof createInstall>["install"]>>;

/** What a host that had a key before has to know of a new one. */
const lostKey = (app: HostApp): string =>
  "gatehouse.APP_KEY was missing, and a new one is made: backups and secrets of organizations' providers from before need the earlier one; " +
  `if you have kept it, put it back into /etc/credstore, then ${app} release:restart`;

export function createInstall({ system, freshSecret, activate, restart, untilReady, say }: InstallDeps) {
  async function writeRecord(place: Place, { app, root }: InstallOptions, record: InstallRecord): Promise<void> {
    const [path, text] = [join(root, recordPath(app)), recordText(record)];
    if ((await readIfThere(path)) !== text) await place.write({ path, mode: 0o600, text });
  }

  async function writeFiles(place: Place, options: InstallOptions, plan: InstallPlan): Promise<void> {
    const { root } = options;
    // All ways are checked before the first file is written, so that a refusal leaves nothing behind.
    const paths = [...writtenBy(plan), recordPath(options.app), settingsPath];
    await place.requireWays(paths.map((path) => join(root, path)));
    await place.folder(join(root, dirname(settingsPath)), 0o700);
    // The record lists the old and the new text before any file is written: after a broken-off run, neither is taken for an edit.
    const files = Object.fromEntries(
      plan.files.map(({ file, act }) => {
        const earlier = act === "edited" || act === "offered" ? [] : (plan.record.files[file.path] ?? []);
        return [file.path, [...new Set([...earlier, contentHash(file.text)])]];
      }),
    );
    await writeRecord(place, options, { ...plan.record, files, finished: false });
    for (const { file, act } of plan.files) {
      if (act === "none" || act === "edited") continue;
      const path = join(root, act === "offered" ? `${file.path}.new` : file.path);
      await place.folder(dirname(path));
      await place.write({ ...file, path });
    }
    for (const variable of plan.secrets) await placeSecret(place, root, variable, freshSecret(variable));
    if (plan.record.finished && plan.secrets.includes("APP_KEY")) say(lostKey(options.app));
    if (plan.settings.act !== "none")
      await place.write({ path: join(root, settingsPath), mode: 0o600, text: plan.settings.text });
  }

  /** Makes the host aware of the files, starts what is missing, and waits until the services are ready. */
  async function takeOver(plan: InstallPlan, written: readonly string[]): Promise<readonly string[]> {
    const { units, topology, isCurrent, record, createDatabase } = plan;
    const isNew = !record.finished || written.some(isOfServices);
    const deeds = [...(await takeOverFiles(system, { topology, units: units.all, isNew }))];
    for (const deed of deeds) say(deed);
    if (!isCurrent) await activate({ createDatabase });
    const started = await enableAndStart(system, units, record.enabled);
    for (const deed of started) say(deed);
    if (isCurrent && isNew && started.length === 0) {
      await restart();
      deeds.push("the services are restarted");
    }
    for (const port of new Set(units.http.map(({ port }) => port))) await untilReady(port);
    return [...deeds, ...started];
  }

  /** Finds the apps of this host whose services run with something older than what is there now. */
  async function dueRestarts({ root }: InstallOptions, { settings }: InstallPlan): Promise<readonly DueRestart[]> {
    const due: DueRestart[] = [];
    for (const app of hostApps) {
      const record = await readRecord(join(root, recordPath(app)));
      if (record === undefined) continue;
      const units = hostUnits(app, record.topology, settings.values);
      const changed = await changedSince({ app, root, settings: settings.values, system, units });
      if (changed.length > 0) due.push({ app, changed, command: `${app} release:restart` });
    }
    return due;
  }

  /** What an installation would do besides writing files. */
  async function trialDeeds(plan: InstallPlan, written: readonly string[]): Promise<readonly string[]> {
    const lacks = (await lacksOf(plan.topology)).map(({ todo }) => todo);
    const restarts = plan.isCurrent && (!plan.record.finished || written.some(isOfServices));
    return restarts ? [...lacks, "restart the services, one instance after the other"] : lacks;
  }

  return {
    async install(options: InstallOptions, { dryRun = false } = {}) {
      const plan = await planInstall(system, options, { isTrial: dryRun });
      const place = createPlace(system.disk, options.root);
      const written = writtenBy(plan);
      const isHost = options.root === "/";
      const isDone = written.length === 0 && plan.record.finished && plan.isCurrent;
      let deeds: readonly string[] = [];
      if (dryRun) deeds = isHost ? await trialDeeds(plan, written) : [];
      else {
        if (!isDone) await writeFiles(place, options, plan);
        if (isHost) {
          deeds = await takeOver(plan, written);
          await writeRecord(place, options, recordAfter(plan));
        }
      }
      return {
        topology: plan.topology,
        url: plan.settings.values[urlVariable(options.app)] ?? "",
        written,
        kept: plan.files.flatMap(keptFile),
        deeds,
        /** Whether the running binary was made, or would be made, the current release. */
        activates: isHost && !plan.isCurrent,
        ports: plan.units.ports,
        /** What keeps an installation from being made, in a trial; elsewhere it is refused by the first of these. */
        obstacles: plan.obstacles,
        restarts_due: isHost && plan.obstacles.length === 0 ? await dueRestarts(options, plan) : [],
      };
    },
  };
}

/** Whether services read the file when they start. A text that is only offered beside another one is never read. */
const isOfServices = (path: string): boolean =>
  /^\/etc\/(?:systemd|credstore|gatehouse)\//.test(path) && !path.endsWith(".new");

function writtenBy({ files, secrets, settings }: InstallPlan): readonly string[] {
  return [
    ...files.flatMap(({ file: { path }, act }) =>
      act === "none" || act === "edited" ? [] : [act === "offered" ? `${path}.new` : path],
    ),
    ...secrets.map(secretPath),
    ...(settings.act === "none" ? [] : [settingsPath]),
  ];
}

const keptFile = ({ file: { path }, act, difference }: InstallPlan["files"][number]): readonly KeptFile[] => {
  if (act === "edited") return [{ path, difference }];
  return act === "offered" ? [{ path, difference, offered: `${path}.new` }] : [];
};

const recordAfter = ({ record, topology, files, units }: InstallPlan): InstallRecord => ({
  topology,
  files: Object.fromEntries(files.map(({ file }) => [file.path, [contentHash(file.text)]])),
  enabled: [...new Set([...record.enabled, ...units.all])].toSorted(),
  finished: true,
});
