import { join } from "node:path";
import { hostFiles, type HostApp } from "../files/index.ts";
import type { Settings, Topology } from "../files/settings.ts";
import { hostUnits, type HostUnits } from "../files/topology.ts";
import { readStanding } from "../release/links.ts";
import { placesOf } from "../release/places.ts";
import { HostFailure, kernelCode, requireRoot, type System } from "../system/index.ts";
import { compareFiles } from "./changes.ts";
import { checkedDigest, checkPorts, checkRoom, hostNeeds } from "./needs.ts";
import { readRecord, recordPath, type InstallRecord } from "./record.ts";
import { missingSecrets } from "./secrets.ts";
import { planSettings, readIfThere } from "./settings.plan.ts";

export interface InstallOptions {
  readonly app: HostApp;
  readonly url?: URL | undefined;
  readonly topology?: Topology | undefined;
  readonly mailFrom?: string | undefined;
  /** `/`, or another folder to write everything below; then nothing is started. */
  readonly root: string;
  /** Undefined for a program that is no single file, which a trial alone can do without. */
  readonly binary: string | undefined;
  /** Returns the names of the secrets that a start with these settings needs. */
  readonly secrets: (settings: Settings) => readonly string[];
}

export type InstallPlan = Awaited<ReturnType<typeof planInstall>>;

/** What keeps an installation from being made, and what to do about it. */
export interface Obstacle {
  readonly problem: string;
  readonly mend: string;
}

/** Throws what is in the way, or in a trial goes on and keeps it. Resolves to undefined where something was. */
function createNeeds(isTrial: boolean) {
  const obstacles: Obstacle[] = [];
  async function need<Met>(met: Promise<Met>): Promise<Met | undefined> {
    try {
      return await met;
    } catch (error) {
      if (!isTrial || !(error instanceof HostFailure)) throw error;
      obstacles.push({ problem: error.message, mend: error.advice });
      return undefined;
    }
  }
  return { need, obstacles };
}

type Need = ReturnType<typeof createNeeds>["need"];

/**
 * Finds out what to do, before anything is done. Throws if it can't be done. A trial goes on without what keeps an installation from being made,
 * and names it.
 */
export async function planInstall(system: System, options: InstallOptions, { isTrial = false } = {}) {
  const { app, root } = options;
  const isHost = root === "/";
  const { need, obstacles } = createNeeds(isTrial);
  if (isHost) for (const met of hostNeeds) await need(met(system));
  const isFit = obstacles.length === 0;
  const { record, topology } = await readable(system, readRecords(options, need));
  const settings = await readable(system, settingsOf(options, topology, need));
  const { current, isCurrent } = await standingOf(system, options, need);
  const units = hostUnits(app, topology, settings.values);
  // When only the link to the release is lost, the services still run, and the ports are in use by them.
  if (isHost && current === undefined && !(isFit && (await isServing(system, units))))
    await need(checkPorts(units.ports));
  const usesFile = (settings.values["DB_DRIVER"] ?? "sqlite") === "sqlite";
  return {
    topology,
    record,
    settings,
    files: await compareFiles(root, hostFiles(app, { topology, settings: settings.values }), record.files),
    secrets: await missingSecrets(root, options.secrets(settings.values)),
    units,
    isCurrent,
    obstacles,
    // Only the API app owns the data, and only at the first release may the database be missing.
    createDatabase: current === undefined && app === "gatehouse" && usesFile,
  };
}

/** Turns a refusal of the kernel to read what root has installed into words. */
const readable = <Read>(system: System, read: Promise<Read>): Promise<Read> =>
  read.catch((error: unknown) => {
    if (kernelCode(error) === "EACCES") requireRoot(system);
    throw error;
  });

/** The address of hosts that have none yet, in a trial. */
const someAddress = new URL("https://auth.example.com");

async function settingsOf({ app, root, url, mailFrom }: InstallOptions, topology: Topology, need: Need) {
  const plan = (address: URL | undefined) => planSettings(app, root, { url: address, mailFrom, topology });
  const planned = await need(plan(url));
  return planned ?? plan(url ?? someAddress);
}

/** Resolves to the current release, and whether that is the running binary. */
async function standingOf(system: System, { app, root, binary }: InstallOptions, need: Need) {
  const digest = await need(digestOf(binary, app));
  const places = placesOf(app, root);
  const { current, unfinished } = await readStanding(places);
  // An activation that was cut off is repeated, although its links are in place.
  const isWhole = current !== undefined && unfinished === undefined;
  const isCurrent = isWhole && digest !== undefined && (await digestBeside(places.binaryOf(current))) === digest;
  if (!isCurrent && binary !== undefined) await need(checkRoom(system, places.root, binary));
  return { current, isCurrent };
}

async function digestOf(binary: string | undefined, app: string): Promise<string> {
  if (binary !== undefined) return checkedDigest(binary, app);
  throw new HostFailure(
    "this runs from the sources, and a host takes a compiled binary",
    "build one with bun build.ts",
  );
}

async function isServing(system: System, { http }: HostUnits): Promise<boolean> {
  const names = http.map(({ unit }) => unit);
  return (await system.systemd.list(names, ["active", "activating"])).length > 0;
}

const digestBeside = async (binary: string): Promise<string | undefined> =>
  (await readIfThere(`${binary}.sha256`))?.split(" ")[0];

async function readRecords({ app, root, topology: asked }: InstallOptions, need: Need) {
  const own = await readRecord(join(root, recordPath(app)));
  const first = app === "gatehouse" ? own : await readRecord(join(root, recordPath("gatehouse")));
  await need(requireFirst(app, first));
  const topology = asked ?? own?.topology ?? first?.topology ?? "shared";
  if (own !== undefined && own.topology !== topology)
    throw new HostFailure(
      `${app} is installed here with --topology ${own.topology}`,
      `run ${app} host:uninstall, which keeps settings, secrets and data, then this again`,
    );
  const record: InstallRecord = own ?? { topology, files: {}, enabled: [], finished: false };
  return { topology, record };
}

async function requireFirst(app: HostApp, first: InstallRecord | undefined): Promise<void> {
  if (app === "gatehouse-admin" && first === undefined)
    throw new HostFailure("gatehouse is not installed on this host", "run its host:install first, then this again");
}
