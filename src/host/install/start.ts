import { readFile, writeFile } from "node:fs/promises";
import { sysctlPath, sysusersPath } from "../files/index.ts";
import type { Topology } from "../files/settings.ts";
import type { HostUnits } from "../files/topology.ts";
import { accountOf, HostFailure, kernelCode, wordsOf, type System } from "../system/index.ts";

const migrateRequests = "/proc/sys/net/ipv4/tcp_migrate_req";
const startLimitMs = 120_000;
const linesShown = 5;

/** Acts of an installation on a running host, in words. Empty if there was nothing to do. */
export type Deeds = readonly string[];

interface Lack {
  readonly todo: string;
  readonly done: string;
  make(system: System): Promise<void>;
}

const user: Lack = {
  todo: "make the user gatehouse",
  done: "the user gatehouse is made",
  make: (system) => must(system, ["systemd-sysusers", sysusersPath], "the user gatehouse could not be made"),
};

const kernel: Lack = {
  todo: "set net.ipv4.tcp_migrate_req to 1, without which a restart loses connections",
  done: "net.ipv4.tcp_migrate_req is set to 1, without which a restart loses connections",
  make: () =>
    writeFile(migrateRequests, "1").catch((error: unknown) => {
      throw new HostFailure(
        `${migrateRequests} could not be set (${kernelCode(error) ?? "unknown"})`,
        `let this host set what ${sysctlPath} says: inside a container that is for the host around it; or take --topology ports`,
      );
    }),
};

export async function lacksOf(topology: Topology): Promise<readonly Lack[]> {
  return [
    ...((await accountOf("gatehouse")) === undefined ? [user] : []),
    ...(topology !== "shared" || (await kernelSetting()) === "1" ? [] : [kernel]),
  ];
}

/** Makes the host aware of the files that are in place: the user, the kernel setting, the units. */
export async function takeOverFiles(
  system: System,
  {
    topology,
    units,
    isNew,
  }: { readonly topology: Topology; readonly units: readonly string[]; readonly isNew: boolean },
): Promise<Deeds> {
  const deeds: string[] = [];
  for (const { make, done } of await lacksOf(topology)) {
    await make(system);
    deeds.push(done);
  }
  if (isNew || (await needsReload(system, units))) {
    await must(system, ["systemctl", "daemon-reload"], "systemd could not read the units");
    if (!isNew) deeds.push("systemd has read its units again");
  }
  return deeds;
}

/** Resolves to undefined if the kernel has no such setting. */
export const kernelSetting = (): Promise<string | undefined> =>
  readFile(migrateRequests, "utf8").then(
    (text) => text.trim(),
    () => undefined,
  );

async function needsReload(system: System, units: readonly string[]): Promise<boolean> {
  const { output } = await system.run(["systemctl", "show", "--value", "--property=NeedDaemonReload", "--", ...units]);
  return output.split("\n").includes("yes");
}

/**
 * Enables the units of the topology and starts those that do not run. A unit that an earlier installation enabled and that is disabled now
 * stays disabled: an operator decided that.
 */
export async function enableAndStart(system: System, units: HostUnits, known: readonly string[]): Promise<Deeds> {
  const enabled = await whichAre(system, "is-enabled", ["enabled", "static", "alias"], units.all);
  const toEnable = units.all.filter((unit) => !enabled.has(unit) && !known.includes(unit));
  if (toEnable.length > 0)
    await must(system, ["systemctl", "enable", "--quiet", "--", ...toEnable], "systemd enabled nothing");
  const active = await whichAre(system, "is-active", ["active", "activating", "reloading"], units.all);
  const toStart = units.all.filter((unit) => !active.has(unit) && (enabled.has(unit) || toEnable.includes(unit)));
  for (const unit of toStart) await start(system, unit);
  return [
    ...toEnable.map((unit) => `${unit} is ${toStart.includes(unit) ? "started, and " : ""}enabled`),
    ...toStart.filter((unit) => !toEnable.includes(unit)).map((unit) => `${unit} is started`),
  ];
}

async function start(system: System, unit: string): Promise<void> {
  const { code } = await system.systemd.act("start", [unit], { timeoutMs: startLimitMs });
  if (code === 0) return;
  const lines = await system.systemd.journal(unit, { last: linesShown });
  throw new HostFailure(
    [`${unit} does not start. Its last lines:`, ...lines.map((line) => `  ${line}`)].join("\n"),
    `mend that, then run this again; journalctl -u ${unit} has more`,
  );
}

/** Returns the units in one of the states. systemctl answers with a line for each unit; its exit code is for all together. */
async function whichAre(
  system: System,
  verb: "is-active" | "is-enabled",
  states: readonly string[],
  units: readonly string[],
): Promise<ReadonlySet<string>> {
  const said = await system.run(["systemctl", verb, "--", ...units]);
  const lines = said.output.split("\n");
  if (lines.length !== units.length)
    throw new HostFailure(
      `systemctl ${verb} answered ${wordsOf(said)}`,
      "see whether systemd is well: systemctl status",
    );
  return new Set(units.filter((_, index) => states.includes(lines[index] ?? "")));
}

async function must(system: System, command: readonly [string, ...string[]], failure: string): Promise<void> {
  const ran = await system.run(command);
  if (ran.code !== 0) throw new HostFailure(`${failure}: ${wordsOf(ran)}`, `run it by hand: ${command.join(" ")}`);
}
