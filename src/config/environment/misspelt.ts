import type { EnvironmentValues } from "../reader.ts";
import { variables } from "../variables/index.ts";

const appPrefix = /^(?:APP|ADMIN)_/;
/** Shorter names are too close to names that have nothing to do with this service (`APP_ID`, `DB_USER`). */
const shortest = 10;

const fixedNames = variables.flatMap(({ name, secret }) => {
  if (name.includes("<NAME>")) return [];
  return secret === true ? [name, `${name}_FILE`] : [name];
});
const known: ReadonlySet<string> = new Set(fixedNames);
const ofResources = variables
  .filter(({ name }) => name.includes("<NAME>"))
  .map(({ name }) => new RegExp(`^${name.replace("<NAME>", ".+")}(?:_FILE)?$`));

/** The names that a variable of the environment may stand for: its own, and what follows an app's name. */
const meanings = (name: string): readonly string[] => [name, name.replace(appPrefix, "")];
const isKnown = (name: string): boolean =>
  meanings(name).some((meant) => known.has(meant) || ofResources.some((pattern) => pattern.test(meant)));

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

/** Names that are almost a variable's: probably slips, whose variables would otherwise keep their defaults in silence. */
export function misspeltNames(env: EnvironmentValues): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    if (name.length < shortest || isKnown(name)) return [];
    const meant = fixedNames.find((variable) => meanings(name).some((written) => isOneSlipAway(written, variable)));
    return meant === undefined ? [] : [`${name} is no variable and changes nothing: is ${meant} meant?`];
  });
}
