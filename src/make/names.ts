import { isName, maxNameLength, type NameKind } from "../core/naming.ts";

/** What a generator is asked for, or why not. */
export class BadRequest extends Error {}

export interface Identity {
  /** The folder that it belongs to, and what its file is called. */
  readonly group: string;
  readonly action: string;
  /** As it is registered: `reports:sync`, or `syncreports` for a name without a group. */
  readonly name: string;
  /** `reportsSync`, to begin identifiers with. */
  readonly camel: string;
  /** `ReportsSync`. */
  readonly pascal: string;
}

/** Folders of `src` that are no feature's. */
const layers: ReadonlySet<string> = new Set(["app", "cli", "config", "core", "drivers", "http", "make", "observe"]);
const ungrouped = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*$/;

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const pascalOf = (text: string): string =>
  text
    .split(/[-_:.]/)
    .map(capital)
    .join("");

/** Reads `reports:sync`, or `SyncReports`, which keeps the compact identity `syncreports`. */
export function readIdentity(kind: NameKind, given: string): Identity {
  if (given.length > maxNameLength) throw new BadRequest(`a name has at most ${maxNameLength} characters`);
  if (given.includes(":")) {
    if (!isName("job", given))
      throw new BadRequest("a name with a group is written group:action in lower case, such as reports:sync");
    const [group = "", action = ""] = given.split(":");
    if (kind !== "command" && layers.has(group))
      throw new BadRequest(`src/${group} holds no feature: choose another group`);
    const pascal = pascalOf(given);
    return { group, action, name: given, pascal, camel: pascal.slice(0, 1).toLowerCase() + pascal.slice(1) };
  }
  if (!ungrouped.test(given))
    throw new BadRequest("a name is group:action, such as reports:sync, or words such as SyncReports");
  const name = given.replaceAll(/[-_]/g, "").toLowerCase();
  if (kind !== "command" && layers.has(name)) throw new BadRequest(`src/${name} holds no feature: choose another name`);
  const pascal = pascalOf(given);
  return { group: name, action: name, name, pascal, camel: pascal.slice(0, 1).toLowerCase() + pascal.slice(1) };
}

/** `a:b` becomes the topic `a.b`; what is published is a contract, so it can be named outright. */
export function readTopic({ name }: Identity, explicit: string | undefined): string {
  const topic = explicit ?? name.replace(":", ".");
  if (!isName("topic", topic))
    throw new BadRequest("a topic is domain.past-tense in lower case, such as reports.synced");
  return topic;
}

/** `AddReports`, `add-reports` and `add_reports` are one migration: `add_reports`. */
export function readMigrationName(given: string): string {
  if (given.length > maxNameLength) throw new BadRequest(`a name has at most ${maxNameLength} characters`);
  if (!ungrouped.test(given)) throw new BadRequest("a migration's name is words such as add_reports");
  return given
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}
