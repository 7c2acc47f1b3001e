import { adminExamples, appExamples, type ExampleNames } from "./examples.ts";
import { adminUnits, appUnits, sharedUnits } from "./units.ts";
import command from "../../../systemd/gatehouse-command" with { type: "text" };
import sysctl from "../../../systemd/sysctl.conf" with { type: "text" };
import sysusers from "../../../systemd/sysusers.conf" with { type: "text" };

export type HostApp = "gatehouse" | "gatehouse-admin";

/** A file that an installation writes on a host, and updates as long as nobody has edited it there. */
export interface HostFile {
  /** Absolute path on the host. */
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

const unitFolder = "/etc/systemd/system";
export const exampleFolder = "/usr/local/share/gatehouse";
export const sysusersPath = "/etc/sysusers.d/gatehouse.conf";
export const sysctlPath = "/etc/sysctl.d/60-gatehouse.conf";

/** Returns every file of an app except settings and secrets. Files that both apps need belong to the API app, which is installed first. */
export function hostFiles(app: HostApp, names: ExampleNames): readonly HostFile[] {
  const commandPath = `/usr/local/sbin/${app}`;
  if (app === "gatehouse-admin")
    return [
      ...below(unitFolder, adminUnits),
      { path: commandPath, mode: 0o755, text: command },
      ...below(exampleFolder, adminExamples(names)),
    ];
  return [
    ...below(unitFolder, { ...sharedUnits, ...appUnits }),
    { path: sysusersPath, mode: 0o644, text: sysusers },
    { path: sysctlPath, mode: 0o644, text: sysctl },
    { path: commandPath, mode: 0o755, text: command },
    ...below(exampleFolder, appExamples(names)),
  ];
}

const below = (folder: string, texts: Readonly<Record<string, string>>): HostFile[] =>
  Object.entries(texts).map(([name, text]) => ({ path: `${folder}/${name}`, mode: 0o644, text }));
