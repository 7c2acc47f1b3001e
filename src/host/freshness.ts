import { readdir, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { HostApp } from "./files/index.ts";
import { settingsPath, type Settings } from "./files/settings.ts";
import type { HostUnits } from "./files/topology.ts";
import { secretFolder } from "./install/secrets.ts";
import { readUnits, type System } from "./system/index.ts";

interface Running {
  readonly app: HostApp;
  readonly root: string;
  readonly settings: Settings;
  readonly system: Pick<System, "run" | "processes">;
  readonly units: HostUnits;
}

const mostFiles = 100;
const statOf = (path: string) => stat(path).catch(() => undefined);
const namesIn = async (folder: string, isMeant = (_name: string): boolean => true): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).filter(isMeant).slice(0, mostFiles);

/** Returns the files with an operator's own words; none where there is no such folder, or one that a start refuses. */
async function wordFiles({ root, settings }: Running): Promise<readonly string[]> {
  const folder = settings["WORDS_PATH"] ?? "";
  if (!isAbsolute(folder)) return [];
  return [folder, ...(await namesIn(join(root, folder))).map((name) => join(folder, name))];
}

/** Returns the secrets that services of the app read: those of the admin app have a prefix, and only that one reads them. */
async function secretFiles({ app, root }: Running): Promise<readonly string[]> {
  const names = await namesIn(join(root, secretFolder), (name) => name.startsWith("gatehouse."));
  const own = names.filter((name) => app === "gatehouse-admin" || !name.startsWith("gatehouse.ADMIN_"));
  return own.map((name) => join(secretFolder, name));
}

/** Returns what has changed since the oldest of the app's processes began that reads it at its start, in words. */
export async function changedSince(running: Running): Promise<readonly string[]> {
  const { root, system, units } = running;
  const shown = (await readUnits(system, units.all)).filter(({ pid }) => pid > 0);
  const began = new Map<number, number>();
  for (const { pid } of shown) began.set(pid, (await system.processes.startedAt(pid)) ?? Number.POSITIVE_INFINITY);
  const oldest = Math.min(...began.values());
  const changedAt = async (paths: readonly string[]): Promise<number> =>
    Math.max(0, ...(await Promise.all(paths.map(async (path) => (await statOf(path))?.mtimeMs ?? 0))));
  const inRoot = (paths: readonly string[]): readonly string[] => paths.map((path) => join(root, path));
  const found: string[] = [];
  if (oldest < (await changedAt(inRoot([settingsPath])))) found.push("settings");
  if (oldest < (await changedAt(inRoot(await secretFiles(running))))) found.push("secrets");
  if (oldest < (await changedAt(inRoot(await wordFiles(running))))) found.push("words");
  // Each unit has files of its own, which say nothing of the other processes.
  const isOld = await Promise.all(
    shown.map(async ({ pid, files }) => (began.get(pid) ?? 0) < (await changedAt(files))),
  );
  if (isOld.includes(true)) found.push("units");
  return found;
}
