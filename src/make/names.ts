import { isName, maxNameLength, type NameKind } from "../core/naming.ts";

/** A request that can't be carried out. The message says why. */
export class BadRequest extends Error {}

export interface Identity {
  /** The folder of the new file, and the first part of its name. */
  readonly group: string;
  readonly action: string;
  /** The registered name: `reports:sync`, or `syncreports` for a name without a group. */
  readonly name: string;
  /** The prefix of identifiers: `reportsSync`. */
  readonly camel: string;
  /** The prefix of types: `ReportsSync`. */
  readonly pascal: string;
}

/** Folders of `src` that belong to no feature. */
const layers: ReadonlySet<string> = new Set(["app", "cli", "config", "core", "drivers", "http", "make", "observe"]);
const ungrouped = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*$/;

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
const pascalOf = (text: string): string =>
  text
    .split(/[-_:.]/)
    .map(capital)
    .join("");

/** Reads `reports:sync`, or `SyncReports`, which keeps the compact identity `syncreports`. */
export function readIdentity(kind: NameKind, text: string): Identity {
  if (text.length > maxNameLength) throw new BadRequest(`a name has at most ${maxNameLength} characters`);
  if (text.includes(":")) {
    if (!isName("job", text))
      throw new BadRequest("a name with a group is written group:action in lower case, such as reports:sync");
    const [group = "", action = ""] = text.split(":");
    if (kind !== "command" && layers.has(group))
      throw new BadRequest(`src/${group} holds no feature: choose another group`);
    const pascal = pascalOf(text);
    return { group, action, name: text, pascal, camel: pascal.slice(0, 1).toLowerCase() + pascal.slice(1) };
  }
  if (!ungrouped.test(text))
    throw new BadRequest("a name is group:action, such as reports:sync, or words such as SyncReports");
  const name = text.replaceAll(/[-_]/g, "").toLowerCase();
  if (kind !== "command" && layers.has(name)) throw new BadRequest(`src/${name} holds no feature: choose another name`);
  const pascal = pascalOf(text);
  return { group: name, action: name, name, pascal, camel: pascal.slice(0, 1).toLowerCase() + pascal.slice(1) };
}

/**
 * Reads the topic of an event. `a:b` becomes `a.b` unless a topic is given: other programs depend on topics, so one deserves a chosen name.
 */
export function readTopic({ name }: Identity, explicit: string | undefined): string {
  const topic = explicit ?? name.replace(":", ".");
  if (!isName("topic", topic))
    throw new BadRequest("a topic is domain.past-tense in lower case, such as reports.synced");
  return topic;
}

/** Reads the name of a migration: `AddReports`, `add-reports` and `add_reports` all become `add_reports`. */
export function readMigrationName(text: string): string {
  if (text.length > maxNameLength) throw new BadRequest(`a name has at most ${maxNameLength} characters`);
  if (!ungrouped.test(text)) throw new BadRequest("a migration's name is words such as add_reports");
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}
