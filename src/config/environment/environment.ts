import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { randomToken } from "../../core/crypto.ts";
import type { AppName } from "../variables/variable.ts";
import type { EnvironmentValues } from "../reader.ts";
import { counterpart, readSecretSources, type Origin, type SecretFiles } from "./secret.sources.ts";
import { generatedMark } from "../rules/guessable.ts";

const secretsFile = ".env.local";
const header = "# Generated for local use only. Keep it out of version control.\n";
const lockTries = 300;
const lockPauseMs = 10;

/** The mark lets a deployed start refuse a secret that was copied from here (SECURITY L-14). */
const freshSecret = (): string => `${generatedMark}${randomToken()}`;
const generators = {
  API_JWT_SECRET_KEY: freshSecret,
  APP_KEY: freshSecret,
  APP_DIAG_TOKEN: freshSecret,
  LIGHTHOUSE_SECRET: freshSecret,
  // For a person to copy; the end satisfies whatever AUTH_PASSWORD_REQUIRE_* ask for.
  AUTH_BOOTSTRAP_PASSWORD: () => `${randomToken().slice(0, 22)}-aA1`,
} as const;

/** What testing does without unless it is given: an account, and pages, that nobody asked for. */
const localOnly: ReadonlySet<string> = new Set(["AUTH_BOOTSTRAP_PASSWORD", "LIGHTHOUSE_SECRET"]);

export interface ResolvedEnvironment {
  readonly env: EnvironmentValues;
  /** The file to which secrets were added just now. */
  readonly created: string | undefined;
  /** What to tell of the files that hold secrets. */
  readonly files: SecretFiles;
  /** Where each value of `env` was found. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface ResolveOptions {
  /** Whose variables with the app's name in front count. */
  readonly app?: AppName;
  /** What becomes of secrets that local lacks: kept in the file (default), made for this process alone, or left out. */
  readonly missing?: "keep" | "make" | "leave";
  /** The secrets whose files are read: a command that needs one opens no other's. Default all. */
  readonly secrets?: readonly string[];
}

interface Layer {
  readonly from: Origin;
  readonly values: Readonly<Record<string, string>>;
}

const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";

/** An empty value counts as not given, wherever it stands. */
const given = (env: EnvironmentValues): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw new Error(`${path} can't be read (${errorCode(error)})`, { cause: error });
  }
}

const readValues = (path: string): Record<string, string> => given(parseEnv(readText(path)));

/** A reader without the lock sees the file whole, before or after. */
function replaceFile(path: string, text: string): void {
  const aside = `${path}.${process.pid}.${randomToken().slice(0, 8)}`;
  try {
    const file = openSync(aside, "wx", 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
}

function takeLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Of several first starts one generates; the others wait for it and find nothing missing. */
function addSecrets(path: string, missing: readonly string[]): boolean {
  const lock = `${path}.lock`;
  try {
    for (let tries = 0; tries < lockTries; tries += 1) {
      if (!takeLock(lock)) {
        Bun.sleepSync(lockPauseMs);
        continue;
      }
      try {
        const text = readText(path);
        const kept = given(parseEnv(text));
        const lines = Object.entries(generators)
          .filter(([name]) => missing.includes(name) && kept[name] === undefined)
          .map(([name, generate]) => `${name}=${generate()}\n`);
        if (lines.length > 0)
          replaceFile(path, `${text === "" ? header : text.replace(/\n?$/, "\n")}${lines.join("")}`);
        return lines.length > 0;
      } finally {
        rmSync(lock, { force: true });
      }
    }
  } catch (error) {
    const instead = `make its folder writable, or set ${missing.join(", ")}`;
    throw new Error(`${path} can't be written (${errorCode(error)}), where local keeps its secrets: ${instead}`, {
      cause: error,
    });
  }
  throw new Error(`${lock} was left behind by a start that was killed: remove it`);
}

/** A later layer wins over an earlier one, by a secret's name as by that of its file. */
function overlay(layers: readonly Layer[], prefix: string) {
  const env: Record<string, string> = {};
  const origins = new Map<string, Origin>();
  for (const { from, values } of layers) {
    for (const [name, value] of Object.entries(values)) {
      const other = counterpart(name, prefix);
      if (other !== undefined && values[other] === undefined) {
        delete env[other];
        origins.delete(other);
      }
      env[name] = value;
      origins.set(name, from);
    }
  }
  return { env, origins };
}

/**
 * Locally, what is missing comes from `.env.local` (secrets, generated once, mode 0600) and `.env`; the process environment
 * wins. In testing, missing secrets live in memory alone. Elsewhere no such file is read: a `.env` can name another
 * APP_ENV, and then gives nothing else. Everywhere a secret may stand in a file of its own; what is in it gets into no
 * process's environment.
 */
export function resolveEnvironment(
  processEnv: EnvironmentValues,
  folder: string,
  { app = "app", missing: wanted = "keep", secrets }: ResolveOptions = {},
): ResolvedEnvironment {
  const own = given(processEnv);
  const prefix = `${app.toUpperCase()}_`;
  const pick = (env: Readonly<Record<string, string>>, name: string): string | undefined =>
    env[`${prefix}${name}`] ?? env[name];
  const modeOf = (env: Readonly<Record<string, string>>): string => pick(env, "APP_ENV") ?? "local";

  function assemble(
    mode: string,
    layers: readonly Layer[],
  ): Omit<ResolvedEnvironment, "created"> & { env: Record<string, string> } {
    const { env, origins } = overlay(layers, prefix);
    const relative = mode === "local" || mode === "testing" ? folder : undefined;
    const found = readSecretSources({ prefix, env, folder: relative, only: secrets });
    return {
      env: { ...env, ...found.values },
      origins: new Map([...origins, ...found.origins]),
      files: found.files,
    };
  }
  /** Adds what nobody gave, for this process alone. */
  function makeUp(resolved: ReturnType<typeof assemble>, names: readonly string[]): ReturnType<typeof assemble> {
    const made = Object.entries(generators).filter(([name]) => names.includes(name));
    return {
      ...resolved,
      env: { ...Object.fromEntries(made.map(([name, make]) => [name, make()])), ...resolved.env },
      origins: new Map([...made.map(([name]) => [name, "generated"] as const), ...resolved.origins]),
    };
  }
  const process = { from: "environment", values: own } as const;

  const mode = modeOf(own);
  if (mode === "testing") {
    const resolved = assemble(mode, [process]);
    // One that is named but empty stays missing: a test can ask what a start says then.
    const absent = Object.keys(generators).filter(
      (name) =>
        !localOnly.has(name) &&
        processEnv[name] === undefined &&
        resolved.env[name] === undefined &&
        !resolved.files.unread.has(name),
    );
    return { ...(wanted === "leave" ? resolved : makeUp(resolved, absent)), created: undefined };
  }
  if (mode !== "local") return { ...assemble(mode, [process]), created: undefined };

  const declared = { from: ".env", values: readValues(join(folder, ".env")) } as const;
  const declaredMode = modeOf({ ...declared.values, ...own });
  if (declaredMode !== "local") {
    const options = { app, missing: wanted, ...(secrets && { secrets }) };
    const { origins, ...rest } = resolveEnvironment({ ...own, APP_ENV: declaredMode }, folder, options);
    return { ...rest, origins: new Map([...origins, ["APP_ENV", ".env"]]) };
  }

  const path = join(folder, secretsFile);
  const merged = () => assemble(mode, [declared, { from: secretsFile, values: readValues(path) }, process]);
  const resolved = merged();
  const missing = Object.keys(generators).filter(
    (name) => pick(resolved.env, name) === undefined && !resolved.files.unread.has(name),
  );
  if (missing.length === 0 || wanted === "leave") return { ...resolved, created: undefined };
  if (wanted === "make") return { ...makeUp(resolved, missing), created: undefined };
  const created = addSecrets(path, missing) ? path : undefined;
  return { ...merged(), created };
}
