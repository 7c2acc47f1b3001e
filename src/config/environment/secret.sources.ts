import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { variables } from "../variables/index.ts";
import type { Variable } from "../variables/kinds/variable.ts";
import { readSecretFile, type SecretFile } from "./secret.file.ts";

export type Origin = "environment" | ".env" | ".env.local" | "file" | "credentials" | "generated";

/** Results of reading the files that the environment names, for a start to report along with everything else. */
export interface SecretFiles {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Secrets that are set but could not be read: nothing may call them missing. */
  readonly unread: ReadonlySet<string>;
}

export const noSecretFiles: SecretFiles = { problems: [], warnings: [], unread: new Set() };

interface SourceOptions {
  /** The app's name with an underscore: `ADMIN_`. */
  readonly prefix: string;
  readonly env: Readonly<Record<string, string>>;
  /** The base of relative paths; undefined if they are refused. */
  readonly folder: string | undefined;
  /** The secrets to read; default: all. */
  readonly only?: readonly string[] | undefined;
}

const suffix = "_FILE";
const byName: ReadonlyMap<string, Variable> = new Map(variables.map((variable) => [variable.name, variable]));
const patterns = variables
  .filter(({ name }) => name.includes("_<NAME>_"))
  .map((variable) => ({
    variable,
    family: variable.name.split("<NAME>")[0] ?? "",
    pattern: new RegExp(`^${variable.name.replace("<NAME>", "([A-Z0-9]+(?:_[A-Z0-9]+)*)")}$`),
  }));

/** The patterns of a name's family: what a pattern of the runtime takes when it is first used, most starts need not pay for. */
const patternsOf = (name: string) => patterns.filter(({ family }) => name.startsWith(family));

/** Returns the variable of that name, including those of named resources. */
const variableOf = (name: string): Variable | undefined =>
  byName.get(name) ?? patternsOf(name).find(({ pattern }) => pattern.test(name))?.variable;

const isSecret = (name: string): boolean => variableOf(name)?.secret === true;

/**
 * Returns the names that a name may stand for: itself, and the part after the app's name. `APP_KEY` is both a variable and a KEY of `app`.
 */
const meanings = (name: string, prefix: string): readonly string[] =>
  name.startsWith(prefix) ? [name, name.slice(prefix.length)] : [name];

const withoutSuffix = (name: string): string => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : "");

/** Returns `X_FILE` for a secret `X`, and `X` for `X_FILE`: both set the same secret. */
export function counterpart(name: string, prefix: string): string | undefined {
  const plain = meanings(name, prefix);
  if (plain.some(isSecret)) return `${name}${suffix}`;
  return plain.map(withoutSuffix).some(isSecret) ? withoutSuffix(name) : undefined;
}

/** A secret that is set outside the environment: its name, and the result of reading it. */
interface Found {
  readonly name: string;
  /** The source of the secret, in words. */
  readonly source: string;
  readonly origin: Origin;
  readonly read: SecretFile;
}

const linesAllowed = (plain: string): boolean => variableOf(plain)?.kind.lines !== undefined;

function findInFile(plain: string, name: string, path: string, folder: string | undefined): Found {
  const source = `the file of ${name}${suffix}`;
  const read: SecretFile =
    folder === undefined && !isAbsolute(path)
      ? { wrong: "must be named by an absolute path" }
      : readSecretFile(resolve(folder ?? "/", path), { lines: linesAllowed(plain) });
  return { name, source, origin: "file", read };
}

function findInCredentials(plain: string, { prefix, env }: SourceOptions): Found | undefined {
  const folder = env["CREDENTIALS_DIRECTORY"];
  if (folder === undefined) return undefined;
  for (const name of [`${prefix}${plain}`, plain]) {
    const [file, another] = [name, name.toLowerCase()].filter((each) => existsSync(join(folder, each)));
    if (file === undefined) continue;
    const read: SecretFile =
      another === undefined
        ? readSecretFile(join(folder, file), { lines: linesAllowed(plain) })
        : { wrong: `and ${another} are both given: keep one` };
    return { name, source: `the credential ${file}`, origin: "credentials", read };
  }
  return undefined;
}

/** Finds a secret outside the environment. Undefined if the environment itself holds it, or nothing does. */
function find(plain: string, options: SourceOptions): Found | { readonly twice: string } | undefined {
  const { prefix, env, folder } = options;
  for (const name of [`${prefix}${plain}`, plain]) {
    const path = env[`${name}${suffix}`];
    if (env[name] === undefined && path === undefined) continue;
    if (path === undefined) return undefined;
    return env[name] === undefined ? findInFile(plain, name, path, folder) : { twice: name };
  }
  return findInCredentials(plain, options);
}

/** Returns the secrets that belong beside a variable of a named resource: a credential has no variable to be found by. */
function secretsBeside(name: string): readonly string[] {
  const families = patternsOf(name).flatMap(({ family, pattern }) => {
    const resource = pattern.exec(name)?.[1];
    return resource === undefined ? [] : [{ family, resource }];
  });
  return families.flatMap(({ family, resource }) =>
    patterns
      .filter((each) => each.variable.secret === true && each.family === family)
      .map(({ variable }) => variable.name.replace("<NAME>", resource)),
  );
}

function namesOfSecrets(env: SourceOptions["env"], prefix: string): ReadonlySet<string> {
  const ofResources = Object.keys(env)
    .flatMap((name) => meanings(name, prefix))
    .flatMap((name) => [name, withoutSuffix(name)])
    .filter((name) => !byName.has(name))
    .flatMap((name) => (isSecret(name) ? [name] : secretsBeside(name)));
  return new Set([...variables.filter(({ secret }) => secret === true).map(({ name }) => name), ...ofResources]);
}

/** Complains of variables that are no secrets but are set by a file. */
const misplacedFiles = (env: SourceOptions["env"], prefix: string): readonly string[] =>
  [...new Set(Object.keys(env).flatMap((name) => meanings(name, prefix)))].flatMap((name) => {
    const base = withoutSuffix(name);
    return variableOf(base) !== undefined && !isSecret(base) && variableOf(name) === undefined
      ? [`${name}: only secrets are read from files, and ${base} is none`]
      : [];
  });

/**
 * Reads secrets from outside the environment: from the file that `<VAR>_FILE` names or, if neither sets the secret, from systemd's
 * `$CREDENTIALS_DIRECTORY/<VAR>` (also in lower case). The app's own name wins over the plain one.
 */
export function readSecretSources(options: SourceOptions) {
  const { prefix, env, only } = options;
  const problems: string[] = [];
  const warnings: string[] = [];
  const unread = new Set<string>();
  const values: Record<string, string> = {};
  const origins = new Map<string, Origin>();

  function take(plain: string, { name, source, origin, read }: Found): void {
    if ("wrong" in read) {
      problems.push(`${source} ${read.wrong}`);
      unread.add(plain);
      return;
    }
    // A list from a file has one item a line. The final line end marks even a single item as such a list.
    values[name] = variableOf(plain)?.kind.lines === "items" ? `${read.value}\n` : read.value;
    origins.set(name, origin);
    // systemd keeps strangers out of the credentials folder, whatever the mode of its files.
    if (read.exposed && origin === "file") warnings.push(`${source} can be read by others than its owner: chmod 600`);
  }

  for (const plain of only ?? namesOfSecrets(env, prefix)) {
    const found = find(plain, options);
    if (found === undefined) continue;
    if ("twice" in found) {
      problems.push(`${found.twice} and ${found.twice}${suffix} are both given: keep one`);
      unread.add(plain);
    } else take(plain, found);
  }
  problems.push(...misplacedFiles(env, prefix));
  return { values, origins, files: { problems, warnings, unread } };
}
