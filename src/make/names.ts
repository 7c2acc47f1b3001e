import { isName, maxNameLength } from "../core/naming.ts";

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

const ungrouped = /^[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*$/;
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Reads `reports:sync`, or `SyncReports`, which keeps the compact identity `syncreports`. */
export function readIdentity(text: string): Identity {
  const isGrouped = isName("job", text) && text.includes(":");
  if (text.length > maxNameLength || !(isGrouped || ungrouped.test(text)))
    throw new BadRequest("a name is group:action in lower case, such as reports:sync, or words such as SyncReports");
  const name = isGrouped ? text : text.replaceAll(/[-_]/g, "").toLowerCase();
  const [group = "", action = group] = name.split(":");
  const pascal = text.split(/[-_:]/).map(capital).join("");
  return { group, action, name, pascal, camel: pascal.slice(0, 1).toLowerCase() + pascal.slice(1) };
}

/** Reads the name of a migration: `AddReports`, `add-reports` and `add_reports` all become `add_reports`. */
export function readMigrationName(text: string): string {
  if (text.length > maxNameLength || !ungrouped.test(text))
    throw new BadRequest("a migration's name is words such as add_reports");
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}
