import { HostFailure } from "./host.failure.ts";
import type { Run } from "./programs.ts";

export type UnitShown = Awaited<ReturnType<typeof readUnits>>[number];

const properties =
  "--property=Id,ActiveState,UnitFileState,NeedDaemonReload,NRestarts,MainPID,ActiveEnterTimestamp,FragmentPath,DropInPaths";

/** Reads the state of each unit from systemd, in the order of `units`. `pid` is 0 where the unit has no process. */
export async function readUnits({ run }: { readonly run: Run }, units: readonly string[]) {
  const { code, output, complaint } = await run(["systemctl", "show", "--timestamp=unix", properties, "--", ...units]);
  if (code !== 0) throw new HostFailure(`systemd says nothing of its units: ${complaint}`, "systemctl status");
  return output.split(/\n\n+/).map((block) => {
    const value = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(block)?.[1] ?? "";
    return {
      name: value("Id"),
      active: value("ActiveState"),
      fileState: value("UnitFileState"),
      needsReload: value("NeedDaemonReload") === "yes",
      /** The files that it is made of. */
      files: [value("FragmentPath"), ...value("DropInPaths").split(" ")].filter((path) => path !== ""),
      restarts: Number(value("NRestarts") || 0),
      pid: Number(value("MainPID") || 0),
      /** When it came into this state, in milliseconds; null for a unit that never ran. */
      since: Number(value("ActiveEnterTimestamp").replace(/^@/, "")) * 1_000 || null,
    };
  });
}
