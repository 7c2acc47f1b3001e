import { join } from "node:path";
import { hostFiles, type HostApp } from "../files/index.ts";
import type { Settings, Topology } from "../files/settings.ts";
import { hostUnits, type HostUnits } from "../files/topology.ts";
import { readStanding } from "../release/links.ts";
import { placesOf } from "../release/places.ts";
import { HostFailure, type System } from "../system/index.ts";
import { compareFiles } from "./changes.ts";
import { checkedDigest, checkHost, checkPorts, checkRoom } from "./needs.ts";
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
  readonly binary: string;
  /** Returns the names of the secrets that a start with these settings needs. */
  readonly secrets: (settings: Settings) => readonly string[];
}

export type InstallPlan = Awaited<ReturnType<typeof planInstall>>;

/** Finds out what to do, before anything is done. Throws if it can't be done. */
export async function planInstall(system: System, options: InstallOptions) {
  const { app, root, binary } = options;
  const isHost = root === "/";
  if (isHost) await checkHost(system);
  const { record, topology } = await readRecords(options);
  const { url, mailFrom } = options;
  const settings = await planSettings(app, root, { url, mailFrom, topology });
  const digest = await checkedDigest(binary, app);
  const places = placesOf(app, root);
  const { current, unfinished } = await readStanding(places);
  const isFirst = current === undefined;
  // An activation that was cut off is repeated, although its links are in place.
  const isCurrent = !isFirst && unfinished === undefined && (await digestBeside(places.binaryOf(current))) === digest;
  if (!isCurrent) await checkRoom(system, places.root, binary);
  const units = hostUnits(app, topology, settings.values);
  // When only the link to the release is lost, the services still run, and the ports are in use by them.
  if (isHost && isFirst && !(await isServing(system, units))) await checkPorts(units.ports);
  const usesFile = (settings.values["DB_DRIVER"] ?? "sqlite") === "sqlite";
  return {
    topology,
    record,
    settings,
    files: await compareFiles(root, hostFiles(app, { topology, settings: settings.values }), record.files),
    secrets: await missingSecrets(root, options.secrets(settings.values)),
    units,
    isCurrent,
    // Only the API app owns the data, and only at the first release may the database be missing.
    createDatabase: isFirst && app === "gatehouse" && usesFile,
  };
}

async function isServing(system: System, { http }: HostUnits): Promise<boolean> {
  const names = http.map(({ unit }) => unit);
  return (await system.systemd.list(names, ["active", "activating"])).length > 0;
}

const digestBeside = async (binary: string): Promise<string | undefined> =>
  (await readIfThere(`${binary}.sha256`))?.split(" ")[0];

async function readRecords({ app, root, topology: asked }: InstallOptions) {
  const own = await readRecord(join(root, recordPath(app)));
  const first = app === "gatehouse" ? own : await readRecord(join(root, recordPath("gatehouse")));
  if (app === "gatehouse-admin" && first === undefined)
    throw new HostFailure("gatehouse is not installed on this host", "run its host:install first, then this again");
  const topology = asked ?? own?.topology ?? first?.topology ?? "shared";
  if (own !== undefined && own.topology !== topology)
    throw new HostFailure(
      `${app} is installed here with --topology ${own.topology}`,
      `run ${app} host:uninstall, which keeps settings, secrets and data, then this again`,
    );
  const record: InstallRecord = own ?? { topology, files: {}, enabled: [], finished: false };
  return { topology, record };
}
