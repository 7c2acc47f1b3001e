import { existsSync } from "node:fs";
import { readdir, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hostFiles, type HostApp } from "../files/index.ts";
import { readSettings, settingsPath } from "../files/settings.ts";
import { placesOf } from "../release/places.ts";
import { HostFailure, isLeftover, requireRoot, wordsOf, type System } from "../system/index.ts";
import { compareFiles } from "./changes.ts";
import { createPlace, type Place } from "./place.ts";
import { readRecord, recordPath, type InstallRecord } from "./record.ts";
import { secretFolder } from "./secrets.ts";
import { readIfThere } from "./settings.plan.ts";

interface UninstallOptions {
  readonly app: HostApp;
  /** `/`, except in trials. */
  readonly root: string;
}

const savedFolder = "/etc/gatehouse/removed";

/** Returns what installations that were killed while they wrote have left beside these files. */
async function leftoversBeside(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const names = await readdir(folder).catch(() => []);
    const files = paths.filter((path) => dirname(path) === folder).map((path) => basename(path));
    found.push(
      ...names.filter((name) => files.some((file) => isLeftover(name, file))).map((name) => join(folder, name)),
    );
  }
  return found;
}

/** Stops an app and removes everything that installations brought, except settings, secrets and data. */
export function createUninstall(system: System) {
  async function stopUnits(app: HostApp): Promise<void> {
    const pattern = [".target", ...["api@*", "run", "worker", "scheduler"].map((name) => `-${name}.service`)].map(
      (ending) => app + ending,
    );
    const options = ["--plain", "--no-legend", "--state=enabled"];
    const files = await system.run(["systemctl", "list-unit-files", ...options, "--", ...pattern]);
    const enabled = files.output.split("\n").flatMap((line) => line.split(/\s+/)[0] || []);
    const running = await system.systemd.list(pattern, ["active", "activating", "reloading", "failed"]);
    const instances = running.filter((unit) => unit.includes("@"));
    const all = [...new Set([...enabled, ...instances, ...running])];
    if (all.length === 0) return;
    const disabled = await system.run(["systemctl", "disable", "--quiet", "--", ...all]);
    if (disabled.code !== 0)
      throw new HostFailure(`systemd disabled nothing: ${wordsOf(disabled)}`, `systemctl disable ${all.join(" ")}`);
    const stopped = await system.systemd.act("stop", all);
    if (stopped.code !== 0)
      throw new HostFailure(
        `the services do not stop: ${wordsOf(stopped)}`,
        `systemctl stop ${all.join(" ")}, then run this again`,
      );
    await system.run(["systemctl", "reset-failed", "--", ...all]);
  }

  /** Removes a file. An edited file is moved aside, and its new path returned. A link that masked a unit is removed. */
  async function takeAway(place: Place, root: string, path: string, isEdited: boolean): Promise<string | undefined> {
    if (!isEdited) {
      await place.remove(join(root, path));
      return undefined;
    }
    const saved = `${savedFolder}/${basename(dirname(path))}-${basename(path)}`;
    await place.folder(join(root, savedFolder), 0o700);
    await place.move(join(root, path), join(root, saved));
    return saved;
  }

  /** Throws if the app can't be uninstalled, before anybody is asked for consent. */
  async function requireInstalled({ app, root }: UninstallOptions): Promise<InstallRecord> {
    if (root === "/") requireRoot(system);
    const record = await readRecord(join(root, recordPath(app)));
    if (record === undefined)
      throw new HostFailure(`${app} is not installed on this host by host:install`, "there is nothing to do");
    if (app === "gatehouse" && existsSync(join(root, recordPath("gatehouse-admin"))))
      throw new HostFailure(
        "gatehouse-admin is installed on this host, too",
        "run gatehouse-admin host:uninstall first, then this again",
      );
    return record;
  }

  return {
    requireInstalled,
    /** Resolves to what was removed, the new paths of files that an operator had edited, and what is left on purpose. */
    async uninstall({ app, root }: UninstallOptions) {
      const record = await requireInstalled({ app, root });
      const place = createPlace(system.disk, root);
      const isHost = root === "/";
      if (isHost) await stopUnits(app);
      const settings = readSettings((await readIfThere(join(root, settingsPath))) ?? "");
      const changes = await compareFiles(root, hostFiles(app, { topology: record.topology, settings }), record.files);
      const [removed, saved]: [string[], string[]] = [[], []];
      await place.requireWays(changes.map(({ file }) => join(root, file.path)));
      for (const { file, act } of changes) {
        await place.remove(join(root, `${file.path}.new`));
        if (act === "make") continue;
        const aside = await takeAway(place, root, file.path, act === "edited" || act === "offered");
        if (aside === undefined) removed.push(file.path);
        else saved.push(aside);
      }
      for (const path of await leftoversBeside(changes.map(({ file }) => join(root, file.path))))
        await place.remove(path);
      const folders = new Set(changes.map(({ file }) => dirname(file.path)).filter((path) => /gatehouse/.test(path)));
      for (const folder of [...folders].toSorted().toReversed()) await rmdir(join(root, folder)).catch(() => {});
      const releases = placesOf(app, root).root;
      await place.remove(releases);
      if (isHost) await system.run(["systemctl", "daemon-reload"]);
      // The record goes last, so that a run that broke off can be repeated.
      await place.remove(join(root, recordPath(app)));
      return {
        removed: [...removed, `/opt/${app}`],
        saved,
        kept: [settingsPath, `${secretFolder}/gatehouse.*`, "/var/lib/gatehouse"],
      };
    },
  };
}
