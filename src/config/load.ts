import { resolve } from "node:path";
import type { Config, SettingsOf } from "./config.ts";
import { misspeltNames } from "./environment/misspelt.ts";
import { noSecretFiles, type SecretFiles } from "./environment/secret.sources.ts";
import { createReader, valueIn, writtenValue, type EnvironmentValues, defaultResource, type Reader } from "./reader.ts";
import { ruleProblems, ruleWarnings, type SplitRole } from "./rules/index.ts";
import { undeclaredProblems } from "./rules/undeclared.ts";
import { table } from "./variables/index.ts";
import {
  type AppIdentity,
  isNamed,
  isOptional,
  isResources,
  isVariable,
  type Entry,
  type Section,
} from "./variables/kinds/variable.ts";

export interface LoadOptions {
  readonly app: AppIdentity;
  readonly env: EnvironmentValues;
  /** Results of `resolveEnvironment` about the files with secrets. */
  readonly files?: SecretFiles;
  /** The only role of the process, if the roles run in separate processes. */
  readonly role?: SplitRole | undefined;
  /** The folder of the binary: the next release would leave data in it behind. */
  readonly releaseFolder?: string;
}

export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly string[];
      /** Names of the variables whose values were accepted, without an app's prefix. */
      readonly accepted: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    // A URL has no own fields to freeze.
    if (typeof inner === "object" && inner !== null && !(inner instanceof URL)) freeze(inner);
  }
  return Object.freeze(value);
}

/** Reads one app's configuration, or names everything that is wrong with it. Touches nothing but its arguments. */
export function loadConfig({ app, env, files = noSecretFiles, role, releaseFolder }: LoadOptions): LoadedConfig {
  const reader = createReader({ app, env, unread: files.unread });
  const settings = readSettings(table, reader);
  const { env: environment } = settings.app;
  const pathOfApp =
    app.name === "admin" ? writtenValue(env, { ...app, name: "app" }, "LIGHTHOUSE_INSPECT_PATH") : undefined;
  const other = app.name === "admin" ? "app" : "admin";
  const otherPort = Number(valueIn(env, other, "API_HTTP_PORT") ?? "");
  const config: Config = {
    ...settings,
    app: {
      name: app.name,
      otherUrl: URL.parse(valueIn(env, other, "APP_URL") ?? "") ?? undefined,
      otherPort: otherPort > 0 ? otherPort : undefined,
      ...settings.app,
    },
    oauth: { plainHttp: environment === "local" || environment === "testing", ...settings.oauth },
    lighthouse: {
      ...settings.lighthouse,
      recording: settings.lighthouse.enabled && reader.isSet("LIGHTHOUSE_SECRET"),
      pathOfApp:
        pathOfApp === undefined || resolve(pathOfApp) === resolve(settings.lighthouse.path) ? undefined : pathOfApp,
    },
  };
  const judged = { reader, config, role, releaseFolder };
  // Without a plausible APP_ENV, it is unknown which other rules hold.
  const undeclared = undeclaredProblems(env, app.name);
  const broken = undeclared.length > 0 ? undeclared : ruleProblems(judged);
  const problems = [...files.problems, ...reader.problems, ...broken];
  const isNamed = (slip: string): boolean =>
    problems.some((problem) => problem.startsWith(`${slip.split(" ", 1)[0]} `));
  const slips = misspeltNames(env).filter((slip) => !isNamed(slip));
  // A slip may be why something is missing.
  if (problems.length > 0) return { ok: false, problems: [...new Set([...problems, ...slips])] };
  const warnings = [...files.warnings, ...slips, ...ruleWarnings(judged)];
  return { ok: true, config: freeze(config), warnings, accepted: reader.accepted() };
}

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
function readSettings<Table extends Section>(section: Table, reader: Reader): SettingsOf<Table>;
function readSettings(section: Section, reader: Reader): object {
  return readSection(section, reader, defaultResource);
}
