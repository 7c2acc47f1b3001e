import { existsSync, type StatsFs } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { sysctlPath } from "../files/index.ts";
import { bus, kernelProblem } from "../install/needs.ts";
import { kernelSetting } from "../install/start.ts";
import { accountOf, HostFailure } from "../system/index.ts";
import { figureOf } from "../system/loopback.ts";
import { install, note, wrong, type Found, type HostCheck } from "./finding.ts";

export const systemdCheck: HostCheck = async ({ system }) => {
  try {
    await system.systemd.check();
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    return [wrong(error.message, error.advice)];
  }
  return existsSync(bus)
    ? []
    : [wrong("D-Bus does not run, without which no command runs as a service", "apt-get install dbus")];
};

export const kernelCheck: HostCheck = async ({ topology }) => {
  const problem = kernelProblem(release());
  if (problem !== undefined) return [wrong(problem, "upgrade to Debian 12, Ubuntu 24.04 or later")];
  if (topology !== "shared" || (await kernelSetting()) === "1") return [];
  return [
    wrong("net.ipv4.tcp_migrate_req is not 1: a restart of an instance loses connections", `sysctl -p ${sysctlPath}`),
  ];
};

export const userCheck: HostCheck = async ({ app }) =>
  (await accountOf("gatehouse")) !== undefined ? [] : [wrong("there is no user gatehouse", install(app))];

/** Whether the clock has jumped. Distrust alone is normal: no process trusts its clock in the first hour. */
async function hasJumped(port: number): Promise<boolean> {
  const [trusted, jumps] = [await figureOf(port, "clock_trusted"), await figureOf(port, "clock_jumps_total")];
  return trusted === 0 && jumps !== undefined && jumps > 0;
}

export const clockCheck: HostCheck = async ({ app, system, units }) => {
  const jumped = [];
  for (const port of units.ports) if (await hasJumped(port)) jumped.push(port);
  const found: Found[] = [];
  if (jumped.length > 0)
    found.push(
      wrong(
        `the clock of this host, or of another one, has jumped (ports ${jumped.join(", ")}): nothing is deleted by age until it has run evenly for an hour`,
        `set it right within that hour, if timedatectl shows a wrong time; journalctl -u '${app}-*' says what was seen`,
      ),
    );
  const { code, output } = await system.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"]);
  const unkept = "nothing keeps the clock of this host right, by which codes and sessions expire";
  if (code === 0 && output === "no") found.push(note(unkept, "apt-get install systemd-timesyncd"));
  return found;
};

const leastBytes = 256 * 1024 ** 2;
const leastShare = 0.05;

/** A disk can have room for bytes but none for more files, so both are checked. Folders on one disk are told of together. */
export const roomCheck: HostCheck = async ({ root, places }) => {
  const found = [];
  const disks = new Map<number, { readonly folders: string[]; readonly room: StatsFs }>();
  for (const folder of [join(root, "var/lib/gatehouse"), places.root, join(root, "etc"), root]) {
    if (!existsSync(folder)) continue;
    const room = await statfs(folder);
    const { dev: disk } = await stat(folder);
    const known = disks.get(disk);
    if (known === undefined) disks.set(disk, { folders: [folder], room });
    else known.folders.push(folder);
  }
  for (const { folders, room } of disks.values()) {
    const { bavail, blocks, bsize, files, ffree } = room;
    // Where the disk is that of the whole host, what fills it may lie anywhere.
    const [first = root] = folders;
    const looked = folders.includes(root) ? root : first;
    const named = folders.filter((folder) => folder !== root).join(" and ") || root;
    const free = bavail * bsize;
    if (free < leastBytes || bavail < blocks * leastShare)
      found.push(
        wrong(
          `the disk of ${named} has ${Math.floor(free / 1024 ** 2)} MiB free`,
          `make room there (du -axh ${looked} | sort -h | tail); without any nobody can sign in`,
        ),
      );
    if (files > 0 && ffree < files * leastShare)
      found.push(
        wrong(`the disk of ${named} has room for ${ffree} files more`, `remove files there (df -i ${looked})`),
      );
  }
  return found;
};
