import type { EnvironmentValues } from "../reader.ts";
import { variables } from "../variables/index.ts";

const appPrefix = /^(?:APP|ADMIN)_/;
/** Shorter names are too close to names that have nothing to do with this service (`APP_ID`, `DB_USER`). */
const shortest = 10;
/** So are those of resources whose own part is shorter, such as `CACHE_NODE_URI`. */
const shortestSetting = 6;
const mostSuggested = 3;

const fixedNames = variables.flatMap(({ name, secret }) => {
  if (name.includes("<NAME>")) return [];
  return secret === true ? [name, `${name}_FILE`] : [name];
});
const known: ReadonlySet<string> = new Set(fixedNames);
const ofResources = variables
  .filter(({ name }) => name.includes("_<NAME>_"))
  .map(({ name }) => {
    const [family = "", setting = ""] = name.split("_<NAME>_");
    return { family, setting, pattern: new RegExp(`^${family}_.+_${setting}(?:_FILE)?$`) };
  });

/** The names that a variable of the environment may stand for: its own, and what follows an app's name. */
const meanings = (name: string): readonly string[] => [name, name.replace(appPrefix, "")];

/** Whether a variable has that name, those of resources and of files with secrets included. */
export const isKnownName = (name: string): boolean =>
  meanings(name).some((meant) => known.has(meant) || ofResources.some(({ pattern }) => pattern.test(meant)));

/** Whether the names differ by one letter that is added, left out or another, or by two neighbours that changed places. */
export function isOneSlipAway(written: string, meant: string): boolean {
  const [shorter, longer] = written.length < meant.length ? [written, meant] : [meant, written];
  if (longer.length - shorter.length > 1) return false;
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at += 1;
  if (longer.length > shorter.length) return shorter.slice(at) === longer.slice(at + 1);
  const changed = written[at] === meant[at + 1] && written[at + 1] === meant[at] ? 2 : 1;
  return written.slice(at + changed) === meant.slice(at + changed);
}

/** STORAGE_UPLOADS_DRIVER for STORAGE_UPLOADS_DRIVR and STORGE_UPLOADS_DRIVER. */
function meantOfResource(name: string, shortestOwn: number): string | undefined {
  const words = name.split("_");
  for (const { family, setting } of ofResources) {
    const [first, last] = [family.split("_").length, setting.split("_").length];
    const resource = words.slice(first, -last).join("_");
    const [head, tail] = [words.slice(0, first).join("_"), words.slice(-last).join("_")];
    if (resource === "" || setting.length < shortestOwn) continue;
    const isSlip =
      (head === family && isOneSlipAway(tail, setting)) || (tail === setting && isOneSlipAway(head, family));
    if (isSlip) return `${family}_${resource}_${setting}`;
  }
  return undefined;
}

/** The variable that a name is one slip away from, written as it would be there. */
function slipOf(name: string, shortestOwn = 1): string | undefined {
  const upper = name.toUpperCase();
  if (upper !== name && isKnownName(upper)) return upper;
  for (const plain of meanings(name)) {
    const meant = fixedNames.find((variable) => isOneSlipAway(plain, variable)) ?? meantOfResource(plain, shortestOwn);
    if (meant !== undefined) return `${name.slice(0, name.length - plain.length)}${meant}`;
  }
  return undefined;
}

/** The variables with the fewest words more than the name has, such as MAIL_SMTP_HOST for MAIL_HOST; else the one with the most of its words. */
function namesAlike(name: string): readonly string[] {
  const prefix = name.startsWith("ADMIN_") ? "ADMIN_" : "";
  const words = name.slice(prefix.length).split("_");
  const rows = fixedNames.map((variable) => ({ variable, parts: variable.split("_") }));
  const longer = rows.filter(({ parts }) => words.length > 1 && words.every((word) => parts.includes(word)));
  const fewest = Math.min(...longer.map(({ parts }) => parts.length));
  const nearest = longer.filter(({ parts }) => parts.length === fewest);
  if (nearest.length > 0)
    return nearest.length > mostSuggested ? [] : nearest.map(({ variable }) => `${prefix}${variable}`);
  const shorter = rows
    .filter(({ parts }) => parts.length > 1 && parts[0] === words[0] && parts.every((part) => words.includes(part)))
    .toSorted((a, b) => b.parts.length - a.parts.length);
  return shorter.slice(0, 1).map(({ variable }) => `${prefix}${variable}`);
}

/** The variables that may be meant by a name in a file of settings, where no other program's are expected: none for one unlike all. */
export function meantNames(name: string): readonly string[] {
  const slip = slipOf(name);
  return slip === undefined ? namesAlike(name) : [slip];
}

/** What is said of a name that is none. */
export const misspeltSentence = (name: string, meant: readonly string[]): string =>
  `${name} is no variable and changes nothing: is ${meant.join(" or ")} meant?`;

/** Names that are almost a variable's: probably slips, whose variables would otherwise keep their defaults in silence. */
export function misspeltNames(env: EnvironmentValues): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    if (name.length < shortest || isKnownName(name)) return [];
    const meant = slipOf(name, shortestSetting);
    return meant === undefined ? [] : [misspeltSentence(name, [meant])];
  });
}
