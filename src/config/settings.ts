import type { SettingsOf } from "./config.ts";
import { defaultResource, type Reader } from "./reader.ts";
import { isNamed, isOptional, isResources, isVariable, type Entry, type Section } from "./variables/kinds/variable.ts";

function readEntry(entry: Entry, reader: Reader, resource: string): unknown {
  if (isVariable(entry)) return reader.value(entry, resource);
  if (isOptional(entry))
    return entry.needed.every((variable) => reader.isSet(variable))
      ? readSection(entry.section, reader, resource)
      : undefined;
  const each = (names: readonly string[], section: Section) =>
    names.map((name) => [name, readSection(section, reader, name)] as const);
  if (isNamed(entry)) return Object.fromEntries(each(reader.namesOf(entry), entry.each));
  if (!isResources(entry)) return readSection(entry, reader, resource);
  const named = each(reader.resourcesOf(entry), entry.named);
  return Object.fromEntries([[defaultResource, readSection(entry.default, reader, defaultResource)], ...named]);
}

const readSection = (section: Section, reader: Reader, resource: string): object =>
  Object.fromEntries(Object.entries(section).map(([key, entry]) => [key, readEntry(entry, reader, resource)]));

/** Replaces every variable of a section by its value. */
// The overload states the result: the compiler does not follow a walk over the keys of an object.
export function readSettings<Table extends Section>(section: Table, reader: Reader): SettingsOf<Table>;
export function readSettings(section: Section, reader: Reader): object {
  return readSection(section, reader, defaultResource);
}
