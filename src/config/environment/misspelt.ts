import type { EnvironmentValues } from "../reader.ts";
import { variables } from "../variables/index.ts";

const appPrefix = /^(?:APP|ADMIN)_/;
/** The shortest name to judge: shorter ones are too close to names that have nothing to do with this service (`APP_ID`, `DB_USER`). */
const shortest = 10;
/** The shortest setting of a resource to judge: shorter ones are too close to foreign names, such as `CACHE_NODE_URI`. */
const shortestSetting = 6;
const mostSuggested = 3;

const fixedNames = variables.flatMap(({ name, secret }) => {
  if (name.includes("<NAME>")) return [];
  return secret === true ? [name, `${name}_FILE`] : [name];
});
const known: ReadonlySet<string> = new Set(fixedNames);
/** By their lengths, since no slip changes a length by more than one. */
const fixedByLength = Map.groupBy(fixedNames, ({ length }) => length);
const ofResources = variables
  .filter(({ name }) => name.includes("_<NAME>_"))
  .map(({ name }) => {
    const [family = "", setting = ""] = name.split("_<NAME>_");
    return { family, setting, pattern: new RegExp(`^${family}_.+_${setting}(?:_FILE)?$`) };
  });

/** Returns the names that a variable of the environment may stand for: its own, and the part after an app's name. */
const meanings = (name: string): readonly string[] => [name, name.replace(appPrefix, "")];

/** Whether a variable has that name, including those of resources and of files with secrets. */
export const isKnownName = (name: string): boolean =>
  meanings(name).some(
    (meant) =>
      known.has(meant) || ofResources.some(({ family, pattern }) => meant.startsWith(family) && pattern.test(meant)),
  );

/** Whether two names differ by one letter added, left out or changed, or by two neighbouring letters swapped. */
export function isOneSlipAway(written: string, meant: string): boolean {
  const [shorter, longer] = written.length < meant.length ? [written, meant] : [meant, written];
  if (longer.length - shorter.length > 1) return false;
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at += 1;
  if (longer.length > shorter.length) return shorter.slice(at) === longer.slice(at + 1);
  const changed = written[at] === meant[at + 1] && written[at + 1] === meant[at] ? 2 : 1;
  return written.slice(at + changed) === meant.slice(at + changed);
}

/** Finds the variable of a resource: STORAGE_UPLOADS_DRIVER for STORAGE_UPLOADS_DRIVR or STORGE_UPLOADS_DRIVER. */
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

/** Returns the variable that a name is one slip away from, with the name's own prefix. */
function slipOf(name: string, shortestOwn = 1): string | undefined {
  const upper = name.toUpperCase();
  if (upper !== name && isKnownName(upper)) return upper;
  for (const plain of meanings(name)) {
    const near = [0, -1, 1].flatMap((by) => fixedByLength.get(plain.length + by) ?? []);
    const meant = near.find((variable) => isOneSlipAway(plain, variable)) ?? meantOfResource(plain, shortestOwn);
    if (meant !== undefined) return `${name.slice(0, name.length - plain.length)}${meant}`;
  }
  return undefined;
}

/**
 * Returns the variables that contain all words of the name and the fewest others, such as MAIL_SMTP_HOST for MAIL_HOST; otherwise the one
 * with the most of its words.
 */
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

/**
 * Returns the variables that a name in a file of settings may mean; none if it resembles no variable. Such a file should hold no other
 * program's names.
 */
export function meantNames(name: string): readonly string[] {
  const slip = slipOf(name);
  return slip === undefined ? namesAlike(name) : [slip];
}

/** Says that a name is no variable, and which may be meant. */
export const misspeltSentence = (name: string, meant: readonly string[]): string =>
  `${name} is no variable and changes nothing: is ${meant.join(" or ")} meant?`;

/** Complains of names that are almost a variable's: they are probably slips, whose variables would silently keep their defaults. */
export function misspeltNames(env: EnvironmentValues): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    if (name.length < shortest || isKnownName(name)) return [];
    const meant = slipOf(name, shortestSetting);
    return meant === undefined ? [] : [misspeltSentence(name, [meant])];
  });
}
