import { readdir } from "node:fs/promises";
import { readStanding } from "../release/links.ts";
import { verifyStored } from "../release/stage.ts";
import { HostFailure, wordsOf } from "../system/index.ts";
import { note, wrong, type Found, type HostCheck } from "./finding.ts";

/** Whether the current release is intact, and no activation was cut off. */
export const releaseCheck: HostCheck = async ({ app, places, current }) => {
  const { unfinished } = await readStanding(places);
  if (current === undefined) return [wrong("there is no release on this host", `./${app} host:install`)];
  const found: Found[] = [];
  if (unfinished !== undefined)
    found.push(
      wrong(
        `release ${unfinished.to} was cut off on its way`,
        `${places.binaryOf(unfinished.to)} release:activate, or ${app} release:rollback`,
      ),
    );
  try {
    await verifyStored(places, current);
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    found.push(wrong(`release ${current}: ${error.message}`, error.advice));
  }
  const left = (await readdir(places.releases).catch(() => [])).filter((name) => name.startsWith("."));
  if (left.length > 0)
    found.push(
      note(
        `${left.length === 1 ? "one folder is" : `${left.length} folders are`} left of releases that were cut off`,
        `the next release removes what is left in ${places.releases}`,
      ),
    );
  return found;
};

/** Whether the settings are valid for each service, as it reads them at its start. */
export const environmentCheck: HostCheck = async ({ app, system, places, current, units }) => {
  if (current === undefined) return [];
  const roles = ["api", "worker", "scheduler"].filter((role) =>
    units.all.some((unit) => unit.startsWith(`${app}-${role}`)),
  );
  const found = new Set<string>();
  for (const role of roles.length === 0 ? ["run"] : roles) {
    const checked = await system.systemd.runAsService(app, [places.binaryOf(current), "env:check", `--role=${role}`]);
    if (checked.code !== 0) found.add(wordsOf(checked));
  }
  return [...found].map((words) =>
    wrong(
      words.replaceAll(/\n\s*/g, " "),
      `correct /etc/gatehouse/gatehouse.env, or the file that it names, then ${app} release:restart`,
    ),
  );
};
