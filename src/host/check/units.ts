import { HostFailure, type System } from "../system/index.ts";

export interface UnitShown {
  readonly name: string;
  /** State as systemd names it: active, inactive, failed, activating, … */
  readonly active: string;
  /** State on disk: enabled, disabled, masked, … */
  readonly fileState: string;
  readonly needsReload: boolean;
  readonly restarts: number;
  /** 0 where the unit has no process. */
  readonly pid: number;
}

const properties = ["Id", "ActiveState", "UnitFileState", "NeedDaemonReload", "NRestarts", "MainPID"];

/** Reads the state of each unit from systemd, in the order of `units`. */
export async function readUnits(system: System, units: readonly string[]): Promise<readonly UnitShown[]> {
  const { code, output, complaint } = await system.run([
    "systemctl",
    "show",
    `--property=${properties.join(",")}`,
    "--",
    ...units,
  ]);
  if (code !== 0) throw new HostFailure(`systemd says nothing of its units: ${complaint}`, "systemctl status");
  return output.split(/\n\n+/).map((block) => {
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(block)?.[1] ?? "";
    return {
      name: value("Id"),
      active: value("ActiveState"),
      fileState: value("UnitFileState"),
      needsReload: value("NeedDaemonReload") === "yes",
      restarts: Number(value("NRestarts") || 0),
      pid: Number(value("MainPID") || 0),
    };
  });
}
