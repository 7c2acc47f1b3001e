import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { readSecretFile, type SecretFile } from "./secret.file.ts";
import { variables } from "../variables/index.ts";
import type { Variable } from "../variables/variable.ts";

/** Where a value was found. */
export type Origin = "environment" | ".env" | ".env.local" | "file" | "credentials" | "generated";

/** What came of the files that the environment names, for the start to tell along with everything else. */
export interface SecretFiles {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Secrets that are given, but could not be read: nobody shall call them missing. */
  readonly unread: ReadonlySet<string>;
}

export const noSecretFiles: SecretFiles = { problems: [], warnings: [], unread: new Set() };

interface SourceOptions {
  /** With an underscore: `ADMIN_`. */
  readonly prefix: string;
  readonly env: Readonly<Record<string, string>>;
  /** What relative paths start from; undefined where they are refused. */
  readonly folder: string | undefined;
  /** Only these secrets; default all. */
  readonly only?: readonly string[] | undefined;
}

const suffix = "_FILE";
const byName: ReadonlyMap<string, Variable> = new Map(variables.map((variable) => [variable.name, variable]));
const patterns = variables
  .filter(({ name }) => name.includes("_<NAME>_"))
  .map((variable) => ({
    variable,
    pattern: new RegExp(`^${variable.name.replace("<NAME>", "[A-Z0-9]+")}$`),
  }));

/** The variable of that name, those of named resources included. */
const variableOf = (name: string): Variable | undefined =>
  byName.get(name) ?? patterns.find(({ pattern }) => pattern.test(name))?.variable;

const isSecret = (name: string): boolean => variableOf(name)?.secret === true;

/** As what a name may be meant: itself, and without the app's name in front. `APP_KEY` is both a variable and a KEY of `app`. */
const meanings = (name: string, prefix: string): readonly string[] =>
  name.startsWith(prefix) ? [name, name.slice(prefix.length)] : [name];

const withoutSuffix = (name: string): string => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : "");

/** `X` for `X_FILE` and the other way round, where X is a secret: two ways to say one thing. */
export function counterpart(name: string, prefix: string): string | undefined {
  const plain = meanings(name, prefix);
  if (plain.some(isSecret)) return `${name}${suffix}`;
  return plain.map(withoutSuffix).some(isSecret) ? withoutSuffix(name) : undefined;
}

/**
 * Secrets from where they stand in no process's environment: the file that `<VAR>_FILE` names, or, when a secret is given in
 * neither way, systemd's `$CREDENTIALS_DIRECTORY/<VAR>` (in lower case too). The app's own name wins over the plain one.
 */
export function readSecretSources({ prefix, env, folder, only }: SourceOptions) {
  const problems: string[] = [];
  const warnings: string[] = [];
  const unread = new Set<string>();
  const values: Record<string, string> = {};
  const origins = new Map<string, Origin>();
  const credentials = env["CREDENTIALS_DIRECTORY"];

  function take(plain: string, name: string, read: SecretFile, source: string, origin: Origin): void {
    if ("wrong" in read) {
      problems.push(`${source} ${read.wrong}`);
      unread.add(plain);
      return;
    }
    // A list from a file has one item a line: the line end at its end says so even of a single one.
    values[name] = variableOf(plain)?.kind.lines === "items" ? `${read.value}\n` : read.value;
    origins.set(name, origin);
    // systemd keeps strangers out of the folder, whatever the mode of what is in it.
    if (read.exposed && origin === "file") warnings.push(`${source} can be read by others than its owner: chmod 600`);
  }

  const linesAllowed = (plain: string): boolean => variableOf(plain)?.kind.lines !== undefined;

  function fromFile(plain: string, name: string, path: string): void {
    const source = `the file of ${name}${suffix}`;
    const read: SecretFile =
      folder === undefined && !isAbsolute(path)
        ? { wrong: "must be named by an absolute path" }
        : readSecretFile(resolve(folder ?? "/", path), { lines: linesAllowed(plain) });
    take(plain, name, read, source, "file");
  }

  function fromCredentials(plain: string): void {
    if (credentials === undefined) return;
    for (const name of [`${prefix}${plain}`, plain]) {
      const found = [name, name.toLowerCase()].filter((file) => existsSync(join(credentials, file)));
      const [file, another] = found;
      if (file === undefined) continue;
      const source = `the credential ${file}`;
      const read: SecretFile =
        another === undefined
          ? readSecretFile(join(credentials, file), { lines: linesAllowed(plain) })
          : { wrong: `and ${another} are both given: keep one` };
      return take(plain, name, read, source, "credentials");
    }
  }

  function find(plain: string): void {
    for (const name of [`${prefix}${plain}`, plain]) {
      const path = env[`${name}${suffix}`];
      if (env[name] === undefined && path === undefined) continue;
      if (path === undefined) return;
      if (env[name] === undefined) return fromFile(plain, name, path);
      problems.push(`${name} and ${name}${suffix} are both given: keep one`);
      unread.add(plain);
      return;
    }
    fromCredentials(plain);
  }

  const names = Object.keys(env).flatMap((name) => meanings(name, prefix));
  const ofResources = names
    .flatMap((name) => [name, withoutSuffix(name)])
    .filter((name) => !byName.has(name) && isSecret(name));
  const secrets = new Set([...variables.filter(({ name }) => isSecret(name)).map(({ name }) => name), ...ofResources]);
  for (const name of only ?? secrets) find(name);
  for (const name of new Set(names)) {
    const base = withoutSuffix(name);
    if (variableOf(base) !== undefined && !isSecret(base) && variableOf(name) === undefined)
      problems.push(`${name}: only secrets are read from files, and ${base} is none`);
  }
  return { values, origins, files: { problems, warnings, unread } };
}
