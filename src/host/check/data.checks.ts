import { Type, type Static } from "@sinclair/typebox";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { hour } from "../../core/clock.ts";
import { settingsPath } from "../files/settings.ts";
import { accountOf } from "../system/index.ts";
import { databaseAdvice } from "../database.advice.ts";
import { figureOf } from "../system/loopback.ts";
import { note, wrong, type Found, type HostCheck, type HostView } from "./finding.ts";
import { rowsOf } from "./rows.ts";

const dataFolder = "/var/lib/gatehouse";
const mostFiles = 5_000;
/** The age at which a backup is too old: backups are made once a day, at a quiet hour. */
const oldestBackupMs = 26 * hour;

/** Finds files in the data folder that belong to others, such as root: the services can't write to them. */
export const dataCheck: HostCheck = async ({ root }) => {
  const folder = join(root, dataFolder);
  const stat = await lstat(folder).catch(() => undefined);
  const account = await accountOf("gatehouse", root);
  if (stat === undefined || account === undefined) return [];
  const mend = `chown -R gatehouse:gatehouse ${dataFolder}`;
  const names = (await readdir(folder, { recursive: true })).slice(0, mostFiles);
  const strangers: string[] = [];
  for (const name of ["", ...names]) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && found.uid !== account.uid) strangers.push(join(dataFolder, name));
  }
  const [first, ...more] = strangers;
  const found: Found[] = [];
  if (first !== undefined)
    found.push(
      wrong(
        `${first}${more.length === 0 ? "" : ` and ${more.length} files more`} can't be written by the services: the owner is not gatehouse`,
        mend,
      ),
    );
  if ((stat.mode & 0o077) !== 0) found.push(wrong(`others may look into ${dataFolder}`, `chmod 700 ${dataFolder}`));
  return found;
};

const Migration = Type.Object({
  id: Type.String(),
  state: Type.String(),
  applied_at: Type.Union([Type.String(), Type.Null()]),
});
const Backup = Type.Object({
  file: Type.String(),
  modified_at: Type.String(),
  /** Absent in releases from before manifests. */
  manifest: Type.Optional(Type.Boolean()),
});

/** Whether the database is the one that the current release works on, with a backup from the last day. */
export const databaseCheck: HostCheck = async (view) => {
  const { app, current, settings } = view;
  if (current === undefined) return [];
  const migrations = await rowsOf(view, Migration, ["migrate:status"]);
  if (typeof migrations === "string")
    return [
      wrong(
        `the database can't be read: ${migrations}`,
        databaseAdvice(migrations) ?? `${app} migrate:status; see ${app} env:check`,
      ),
    ];
  const states = (state: string) => migrations.filter((migration) => migration.state === state);
  if (migrations.length > 0 && states("pending").length === migrations.length)
    return [
      wrong(
        "the database is empty, or is not there: no migration was ever applied to it",
        "put its file or volume back, or correct DB_DATABASE or DB_URL; gatehouse backup:restore brings it back from a backup",
      ),
    ];
  const found: Found[] = [];
  if (states("pending").length > 0)
    found.push(wrong(`${states("pending").length} migrations are not applied`, `${app} migrate`));
  const unknown = states("unknown");
  if (unknown.length > 0)
    found.push(
      wrong(
        `the database is newer than release ${current}: it has ${unknown.map(({ id }) => id).join(", ")}`,
        `./${app} release:activate with the release that made it, or its migrate:rollback`,
      ),
    );
  const disk = settings["BACKUP_DISK"];
  if (app === "gatehouse" && disk !== undefined && disk !== "") {
    const age =
      Date.now() - Math.min(...migrations.map(({ applied_at }) => Date.parse(applied_at ?? "") || Date.now()));
    if (age > oldestBackupMs) found.push(...(await backupProblems(view, disk)));
  }
  return found;
};

async function backupProblems(view: HostView, disk: string): Promise<readonly Found[]> {
  const backups = await rowsOf(view, Backup, ["backup:list", "--disk", disk]);
  const mend = `gatehouse backup:create --disk ${disk} says what keeps it from being made; gatehouse queue:failed`;
  if (typeof backups === "string") return [wrong(`the backups on disk ${disk} can't be listed: ${backups}`, mend)];
  const newest = Math.max(...backups.map(({ modified_at }) => Date.parse(modified_at)));
  if (Date.now() - newest <= oldestBackupMs) {
    const isBare = backups.some((each) => each.manifest === false && Date.parse(each.modified_at) === newest);
    const what = `the latest backup on disk ${disk} has no manifest: a restore takes it with --unverified alone`;
    return [
      ...(isBare ? [note(what, `gatehouse backup:create --disk ${disk} makes one that has`)] : []),
      ...(await failedDrill(view, disk)),
    ];
  }
  return [
    wrong(
      backups.length === 0
        ? `there is no backup on disk ${disk}`
        : `the latest backup on disk ${disk} is of ${new Date(newest).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      mend,
    ),
  ];
}

const Drill = Type.Object({ at: Type.String(), outcome: Type.String() });

/** Asks for the last drill of the backups, whether a schedule or an operator ran it. */
export async function lastDrill(view: HostView): Promise<Static<typeof Drill> | null | { readonly unknown: string }> {
  const rows = await rowsOf(view, Drill, ["audit:list", "--action", "backup.drilled", "--limit", "1"]);
  return typeof rows === "string" ? { unknown: rows } : (rows[0] ?? null);
}

/** Tells of backups that could not be restored when somebody last tried. */
async function failedDrill(view: HostView, disk: string): Promise<readonly Found[]> {
  const drill = await lastDrill(view);
  if (drill === null || "unknown" in drill || drill.outcome === "success") return [];
  return [
    wrong(
      `the last drill of the backups failed, at ${drill.at.slice(0, 16).replace("T", " ")} UTC`,
      `gatehouse backup:drill --disk ${disk} says why; where they are encrypted, run it where the key is`,
    ),
  ];
}

const Maintenance = Type.Object({ maintenance: Type.Boolean(), reason: Type.Optional(Type.String()) });

/** Returns the maintenance that is on; null where there is none. */
export async function maintenanceOf(
  view: HostView,
): Promise<Static<typeof Maintenance> | null | { readonly unknown: string }> {
  if (view.current === undefined) return null;
  const said = await rowsOf(view, Maintenance, ["maintenance:status"]);
  return typeof said === "string"
    ? { unknown: "the app does not answer" }
    : (said.find(({ maintenance }) => maintenance) ?? null);
}

/** Finds maintenance: services that are well but refuse everybody, because an operator decided so and may have forgotten it. */
export const maintenanceCheck: HostCheck = async (view) => {
  const state = await maintenanceOf(view);
  // That the app does not answer is told by others.
  if (state === null || "unknown" in state) return [];
  const mend =
    state.reason === "environment"
      ? `remove APP_MAINTENANCE_ENABLED from ${settingsPath}, then ${view.app} release:restart`
      : `${view.app} maintenance:disable, when it is over`;
  return [note("maintenance is on: everybody is refused", mend)];
};

/** Gatehouse counts requests from a proxy that it was not told of: all clients of that proxy look like one. */
export const proxyCheck: HostCheck = async ({ units }) => {
  let forgotten = 0;
  for (const port of units.ports) forgotten += (await figureOf(port, "http_forgotten_proxy_requests_total")) ?? 0;
  if (forgotten === 0) return [];
  return [
    wrong(
      `${forgotten} requests came by a proxy that API_TRUSTED_PROXIES does not name: its clients all count as one address`,
      "name it there in /etc/gatehouse/gatehouse.env, then gatehouse release:restart",
    ),
  ];
};
