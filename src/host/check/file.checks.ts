import { existsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { exampleFolder, hostFiles } from "../files/index.ts";
import { settingsPath } from "../files/settings.ts";
import { compareFiles } from "../install/changes.ts";
import { readIfThere } from "../install/settings.plan.ts";
import { missingSecrets, secretFolder, secretPath } from "../install/secrets.ts";
import { ifThere } from "../system/index.ts";
import { install, note, wrong, type Found, type HostCheck } from "./finding.ts";

/** Compares the files that an installation wrote with those of the running binary. */
export const fileCheck: HostCheck = async ({ app, root, record, topology, settings }) => {
  const changes = await compareFiles(root, hostFiles(app, { topology, settings }), record.files);
  return changes.flatMap(({ file: { path }, act }): readonly Found[] => {
    const beside = existsSync(join(root, `${path}.new`))
      ? [note(`${path}.new waits to be taken over`, `diff ${path} ${path}.new; then merge them, and rm ${path}.new`)]
      : [];
    switch (act) {
      case "none":
        return beside;
      case "make":
        return [wrong(`${path} is missing`, install(app))];
      case "mode":
        return [wrong(`${path} has another mode than it was installed with`, install(app)), ...beside];
      case "update":
        // Only other programs read the examples, and go on with the former text.
        return [
          (path.startsWith(exampleFolder) ? note : wrong)(
            `${path} is not the one that this release makes from its settings`,
            install(app),
          ),
        ];
      case "edited":
        return beside.length > 0
          ? beside
          : [note(`${path} was edited here`, `${app} host:install --dry-run shows how`)];
      case "offered":
        return [note(`${path} was edited here, and this release has a newer text of it`, install(app))];
    }
  });
};

const everybodyElse = 0o077;

/** Whether the file of settings exists: no service starts without it. */
export const presenceCheck: HostCheck = async ({ app, root }) =>
  existsSync(join(root, settingsPath))
    ? []
    : [wrong(`${settingsPath} is missing`, `put it back, or make a new one: ${app} host:install --url https://…`)];

/** Finds lines that set nothing, or something else than they seem to. A start can't notice them: it sees the values alone. */
export const lineCheck: HostCheck = async ({ app, root, judgeLines }) =>
  judgeLines((await readIfThere(join(root, settingsPath))) ?? "").map(({ line, level, says }) => ({
    level,
    problem: `line ${line} of ${settingsPath}: ${says}`,
    mend: `${level === "note" ? "correct it, if it is not meant so" : "correct it"}, then ${app} release:restart`,
  }));

/** Whether settings and secrets are for root alone: the services get copies in memory. */
export const secretCheck: HostCheck = async ({ app, root, secrets }) => {
  const missing = (await missingSecrets(root, secrets)).map((variable) =>
    wrong(
      `the secret ${secretPath(variable)} is missing`,
      `put back the one that you have kept; or make a new one: ${install(app)}`,
    ),
  );
  const names = await readdir(join(root, secretFolder)).catch(() => []);
  const own = names.filter((name) => name.startsWith("gatehouse.")).map((name) => `${secretFolder}/${name}`);
  const found = await Promise.all(
    ["/etc/gatehouse", settingsPath, secretFolder, ...own].map((path) => privacyOf(root, path)),
  );
  return [...missing, ...found.flat()];
};

async function privacyOf(root: string, path: string): Promise<readonly Found[]> {
  const stat = await ifThere(lstat(join(root, path)));
  if (stat === undefined) return [];
  const found: Found[] = [];
  // The caller is root, except in trials below another folder.
  if (stat.uid !== (process.geteuid?.() ?? 0))
    found.push(wrong(`${path} does not belong to root`, `chown root:root ${path}`));
  if (stat.isDirectory() ? (stat.mode & 0o022) !== 0 : (stat.mode & everybodyElse) !== 0 || stat.isSymbolicLink())
    found.push(wrong(`${path} is not for root alone`, stat.isDirectory() ? `chmod 700 ${path}` : `chmod 600 ${path}`));
  return found;
}
