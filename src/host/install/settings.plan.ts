import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HostApp } from "../files/index.ts";
import {
  firstSettings,
  readSettings,
  settingsPath,
  topologyProblem,
  withAdminSettings,
  type Settings,
  type WantedSettings,
} from "../files/settings.ts";
import { HostFailure, ifThere } from "../system/index.ts";

export interface SettingsPlan {
  readonly act: "make" | "extend" | "none";
  readonly text: string;
  readonly values: Settings;
}

export const urlVariable = (app: HostApp): string => (app === "gatehouse" ? "APP_URL" : "ADMIN_APP_URL");

/** Plans the settings of the host. Existing settings are kept; the admin app adds its address. */
export async function planSettings(app: HostApp, root: string, wanted: WantedSettings): Promise<SettingsPlan> {
  const found = await readIfThere(join(root, settingsPath));
  const text = textOf(app, found, wanted);
  const plan = { text, values: readSettings(text) };
  refuseOther(plan.values, urlVariable(app), wanted.url?.origin);
  refuseOther(plan.values, "MAIL_FROM", wanted.mailFrom);
  const problem = topologyProblem(plan.values, wanted.topology);
  if (problem !== undefined) throw new HostFailure(problem.reason, `${problem.advice}, then run this again`);
  return { ...plan, act: found === undefined ? "make" : found === text ? "none" : "extend" };
}

function textOf(app: HostApp, found: string | undefined, { url, topology, mailFrom }: WantedSettings): string {
  const needed = (): URL => {
    if (url !== undefined) return url;
    throw new HostFailure("the address of this host is not known", `run this with --url ${exampleOf[app]}`);
  };
  if (found === undefined) {
    const first = firstSettings(needed(), { topology, mailFrom });
    // Only a trial comes here for the admin app, which is installed beside the other one.
    return app === "gatehouse" ? first : withAdminSettings(first, needed());
  }
  if (readSettings(found)[urlVariable(app)] !== undefined) return found;
  if (app === "gatehouse-admin") return withAdminSettings(found, needed());
  throw new HostFailure(`${settingsPath} has no APP_URL`, "set it there, then run this again");
}

const exampleOf = {
  gatehouse: "https://auth.example.com",
  "gatehouse-admin": "https://admin.auth.example.com",
} as const;

/** Refuses an option that contradicts the settings: once written, they belong to the operator. */
function refuseOther(settings: Settings, variable: string, asked: string | undefined): void {
  const there = settings[variable];
  if (asked === undefined || there === asked) return;
  throw new HostFailure(
    `${settingsPath} is there already and says ${variable}=${there ?? ""}`,
    "change it there, then run this again without that option",
  );
}

export const readIfThere = (path: string): Promise<string | undefined> => ifThere(readFile(path, "utf8"));
