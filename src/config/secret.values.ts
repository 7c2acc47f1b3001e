import { percentDecoded } from "../core/address/url.parts.ts";
import type { Config } from "./config.ts";
import { defaultResource } from "./reader.ts";
import { table } from "./variables/index.ts";
import { isNamed, isOptional, isResources, isVariable, type Entry } from "./variables/kinds/variable.ts";

/** Adds each line of a key in PEM, since the lines between the first and the last are the key. */
const withLines = (text: string): readonly string[] =>
  text.includes("\n") ? [text, ...text.split(/\r?\n/).filter((line) => !line.startsWith("-----"))] : [text];

/** Adds the password of a URL, as written and as sent: a server's error may repeat it alone. */
function withPassword(text: string): readonly string[] {
  const password = URL.parse(text)?.password ?? "";
  return [text, password, percentDecoded(password) ?? ""];
}

const textsIn = (value: unknown): readonly string[] =>
  [value]
    .flat()
    .filter((each) => typeof each === "string")
    .flatMap(withLines)
    .flatMap(withPassword)
    .filter((each) => each !== "");

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

function secretsIn(entry: Entry, value: unknown): readonly string[] {
  if (isVariable(entry)) return entry.secret === true ? textsIn(value) : [];
  if (isOptional(entry)) return secretsIn(entry.section, value);
  const fields = fieldsOf(value);
  if (isResources(entry))
    return [...fields].flatMap(([name, each]) =>
      secretsIn(name === defaultResource ? entry.default : entry.named, each),
    );
  if (isNamed(entry)) return [...fields.values()].flatMap((each) => secretsIn(entry.each, each));
  return Object.entries(entry).flatMap(([key, inner]) => secretsIn(inner, fields.get(key)));
}

/** Returns every secret of the configuration, for the log to keep out. */
export const secretValues = (config: Config): readonly string[] => secretsIn(table, config);
