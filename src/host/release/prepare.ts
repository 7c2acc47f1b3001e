import { databaseAdvice } from "../database.advice.ts";
import { HostFailure, wordsOf, type System } from "../system/index.ts";
import { quoted, type Narration } from "./narration.ts";
import type { Places } from "./places.ts";
import { rolesOf } from "./units.ts";

interface PrepareOptions {
  readonly app: string;
  readonly system: Pick<System, "systemd">;
  readonly places: Places;
  readonly narration: Narration;
  readonly release: string;
}

/** Checks the settings as each of the services would at its start. */
export async function checkEnvironment(
  { app, system, places, narration, release }: PrepareOptions,
  units: readonly string[],
): Promise<void> {
  narration.begin("checking the environment");
  const roles = rolesOf(app, units).map((role) => [`--role=${role}`]);
  for (const role of roles.length === 0 ? [[]] : roles) {
    const checked = await system.systemd.runAsService(app, [places.binaryOf(release), "env:check", ...role]);
    if (checked.code === 0) continue;
    for (const line of quoted(wordsOf(checked))) narration.complain(line);
    throw new HostFailure(
      `the settings are not valid for release ${release}`,
      "correct /etc/gatehouse/gatehouse.env or the secrets in /etc/credstore, then run this again",
    );
  }
  narration.say("the environment is valid for it");
}

/** Opens the database as the services would, so that settings which lead to another one, or to none, restart nothing. */
export async function checkDatabase({ app, system, places, narration, release }: PrepareOptions): Promise<void> {
  narration.begin("opening the database");
  const looked = await system.systemd.runAsService(app, [places.binaryOf(release), "migrate:status"]);
  const pending = looked.output.split("\n").filter((line) => line.startsWith("pending")).length;
  if (looked.code === 0 && pending === 0) return narration.say("the database can be opened, and has what it needs");
  if (looked.code === 0)
    throw new HostFailure(
      `the database of these settings is not there, or lacks ${pending} migrations`,
      `correct DB_DATABASE or DB_URL, then run this again; if it is the right one, ${app} migrate applies them`,
    );
  const said = wordsOf(looked);
  for (const line of quoted(said)) narration.complain(line);
  throw new HostFailure(
    `release ${release} can't open the database`,
    `${databaseAdvice(said) ?? "see the lines above: correct DB_ in /etc/gatehouse/gatehouse.env or the server"}; then run this again`,
  );
}

export async function createDatabase({ app, system, places, narration, release }: PrepareOptions): Promise<void> {
  narration.begin("making the database");
  const made = await system.systemd.runAsService(app, [places.binaryOf(release), "migrate", "--create"]);
  const isMade = made.code === 0;
  for (const line of quoted(wordsOf(made))) narration[isMade ? "say" : "complain"](line);
  if (isMade) return;
  throw new HostFailure(
    "there is no database, and none could be made",
    "see the lines above: correct DB_DATABASE or its folder, or DB_URL, then run this again",
  );
}

/** Longer than the unit's own time limit. */
const migrationLimitMs = 65 * 60_000;

/** Migrates in the unit made for that, and repeats its output whether it succeeds or fails. */
export async function migrate(
  { app, system, places, narration, release }: PrepareOptions,
  serving: string | undefined,
): Promise<void> {
  narration.begin("migrating");
  const { systemd } = system;
  // What is not the line of a migration says how long the open ones will take. A database that can't be read is the migration's to complain of.
  const status = await systemd.runAsService(app, [places.binaryOf(release), "migrate:status"]);
  const told = status.code === 0 ? status.output.split("\n").filter((line) => !/^(?:$|\w+ +\d{4}_)/.test(line)) : [];
  for (const line of told) for (const part of quoted(line)) narration.say(part);
  const unit = `${app}-migrate@${release}.service`;
  const since = Math.floor(Date.now() / 1000);
  const started = await systemd.act("start", [unit], { timeoutMs: migrationLimitMs });
  const lines = await systemd.journal(unit, { since });
  for (const line of lines.length > 0 ? lines : [wordsOf(started)].filter((words) => words !== ""))
    for (const part of quoted(line)) narration.say(part);
  if (started.code === 0) return;
  await systemd.act("reset-failed", [unit]);
  throw new HostFailure(
    `release ${release} could not migrate the database`,
    "see the lines above. The first release on a host takes --create-database. " +
      `Release ${serving ?? "none"} runs on with what was applied. Mend the cause and run this again, which goes on from there, or undo ` +
      `migrations with the migrate:rollback of ${places.binaryOf(release)}`,
  );
}
