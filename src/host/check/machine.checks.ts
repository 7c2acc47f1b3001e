import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
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

/** A disk can have room for bytes but none for more files, so both are checked. */
export const roomCheck: HostCheck = async ({ root, places }) => {
  const found = [];
  const seen = new Set<string>();
  for (const folder of [places.root, join(root, "var/lib/gatehouse"), join(root, "etc")]) {
    if (!existsSync(folder)) continue;
    const { bavail, blocks, bsize, files, ffree } = await statfs(folder);
    const disk = `${blocks}:${files}:${bavail}`;
    if (seen.has(disk)) continue;
    seen.add(disk);
    const free = bavail * bsize;
    const freeInMebibytes = `${Math.floor(free / 1024 ** 2)} MiB`;
    if (free < leastBytes || bavail < blocks * leastShare)
      found.push(
        wrong(`the disk of ${folder} has ${freeInMebibytes} free`, `make room there (du -xh ${folder} | sort -h)`),
      );
    if (files > 0 && ffree < files * leastShare)
      found.push(
        wrong(`the disk of ${folder} has room for ${ffree} files more`, `remove files there (df -i ${folder})`),
      );
  }
  return found;
};
