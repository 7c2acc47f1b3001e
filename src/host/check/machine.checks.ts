import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { sysctlPath } from "../files/index.ts";
import { bus, kernelProblem } from "../install/needs.ts";
import { hasUser, kernelSetting } from "../install/start.ts";
import { HostFailure } from "../system/index.ts";
import { install, note, wrong, type HostCheck } from "./finding.ts";

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
  (await hasUser("gatehouse")) ? [] : [wrong("there is no user gatehouse", install(app))];

export const clockCheck: HostCheck = async ({ system }) => {
  const { code, output } = await system.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"]);
  if (code !== 0 || output !== "no") return [];
  return [
    note(
      "nothing keeps the clock of this host right, by which codes and sessions expire",
      "apt-get install systemd-timesyncd",
    ),
  ];
};

const leastBytes = 256 * 1024 ** 2;
const leastShare = 0.05;

/** Files can't be made either where a disk has room for bytes but none for files. */
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
