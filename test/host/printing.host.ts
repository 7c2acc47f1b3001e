import type { HostView } from "../../src/host/check/finding.ts";
import { createSystem, placesOf } from "../../src/host/index.ts";
import { judgeFile } from "../../src/config/index.ts";

/** Makes a host whose current release prints these rows for a command. */
export function hostThatPrints(
  rows: Readonly<Record<string, readonly object[] | string>>,
  more: Partial<HostView> = {},
): HostView {
  const system = createSystem();
  return {
    system: {
      ...system,
      systemd: {
        ...system.systemd,
        runAsService: async (_app, [, command = ""]) => {
          const said = rows[command] ?? [];
          if (typeof said === "string") return { code: 1, output: "", complaint: said };
          return { code: 0, output: said.map((row) => JSON.stringify(row)).join("\n"), complaint: "" };
        },
      },
    },
    app: "gatehouse",
    root: "/nowhere",
    topology: "shared",
    settings: { BACKUP_DISK: "default" },
    record: { topology: "shared", files: {}, enabled: [], finished: true },
    units: { all: [], http: [], ports: [], scraped: [] },
    places: placesOf("gatehouse", "/nowhere"),
    current: "0.1.0-ada",
    secrets: [],
    judgeLines: (text) => judgeFile(text).findings,
    ...more,
  };
}
