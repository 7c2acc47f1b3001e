import type { EnvironmentValues } from "../reader.ts";
import { variables } from "../variables/index.ts";
import type { Variable } from "../variables/variable.ts";

const appPrefix = /^(?:APP|ADMIN)_/;
/** Shorter names are too close to names that have nothing to do with this service (`APP_ID`, `DB_USER`). */
const shortest = 10;

const table: readonly Variable[] = variables;
const fixedNames = table.flatMap(({ name, secret }) => {
  if (name.includes("<NAME>")) return [];
  return secret === true ? [name, `${name}_FILE`] : [name];
});
const known: ReadonlySet<string> = new Set(fixedNames);
const ofResources = table
  .filter(({ name }) => name.includes("<NAME>"))
  .map(({ name }) => new RegExp(`^${name.replace("<NAME>", ".+")}(?:_FILE)?$`));

/** As it may be meant: by its own name, or with an app's in front. */
const meanings = (name: string): readonly string[] => [name, name.replace(appPrefix, "")];
const isKnown = (name: string): boolean =>
  meanings(name).some((meant) => known.has(meant) || ofResources.some((pattern) => pattern.test(meant)));

/** Whether one letter more, less, another or two changed over make one name out of the other. */
export function isOneSlipAway(given: string, meant: string): boolean {
  const [shorter, longer] = given.length < meant.length ? [given, meant] : [meant, given];
  if (longer.length - shorter.length > 1) return false;
  let at = 0;
  while (at < shorter.length && shorter[at] === longer[at]) at += 1;
  if (longer.length > shorter.length) return shorter.slice(at) === longer.slice(at + 1);
  const changedOver = given[at] === meant[at + 1] && given[at + 1] === meant[at] ? 2 : 1;
  return given.slice(at + changedOver) === meant.slice(at + changedOver);
}

/** A name that is almost a variable's is probably a slip, and what it was to set stays as it was without a word. */
export function misspeltNames(env: EnvironmentValues): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    if (name.length < shortest || isKnown(name)) return [];
    const meant = fixedNames.find((variable) => meanings(name).some((given) => isOneSlipAway(given, variable)));
    return meant === undefined ? [] : [`${name} is no variable and changes nothing: is ${meant} meant?`];
  });
}
