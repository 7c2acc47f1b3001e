import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { randomToken } from "../core/crypto.ts";
import type { AppName } from "./index.ts";
import type { EnvironmentValues } from "./reader.ts";
import { generatedMark } from "./secrets.ts";

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
  // For a person to copy; the end satisfies whatever AUTH_PASSWORD_REQUIRE_* ask for.
  AUTH_BOOTSTRAP_PASSWORD: () => `${randomToken().slice(0, 22)}-aA1`,
} as const;

export interface ResolvedEnvironment {
  readonly env: EnvironmentValues;
  /** The file to which secrets were added just now. */
  readonly created: string | undefined;
}

export interface ResolveOptions {
  /** Whose variables with the app's name in front count. */
  readonly app?: AppName;
  /** What becomes of secrets that local lacks: kept in the file (default), made for this process alone, or left out. */
  readonly missing?: "keep" | "make" | "leave";
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

/**
 * Locally, what is missing comes from `.env.local` (secrets, generated once, mode 0600) and `.env`; the process environment
 * wins. In testing, missing secrets live in memory alone. Elsewhere no file is read: a `.env` can name another APP_ENV, and
 * then gives nothing else.
 */
export function resolveEnvironment(
  processEnv: EnvironmentValues,
  folder: string,
  { app = "app", missing: wanted = "keep" }: ResolveOptions = {},
): ResolvedEnvironment {
  const own = given(processEnv);
  const pick = (env: Record<string, string>, name: string): string | undefined =>
    env[`${app.toUpperCase()}_${name}`] ?? env[name];
  const modeOf = (env: Record<string, string>): string => pick(env, "APP_ENV") ?? "local";

  const mode = modeOf(own);
  if (mode === "testing") {
    const { AUTH_BOOTSTRAP_PASSWORD: _, ...secrets } = generators;
    // One that is named but empty stays missing: a test can ask what a start says then.
    const absent = Object.entries(secrets).filter(([name]) => wanted !== "leave" && processEnv[name] === undefined);
    return { env: { ...Object.fromEntries(absent.map(([name, make]) => [name, make()])), ...own }, created: undefined };
  }
  if (mode !== "local") return { env: own, created: undefined };

  const declared = readValues(join(folder, ".env"));
  const declaredMode = modeOf({ ...declared, ...own });
  if (declaredMode !== "local")
    return resolveEnvironment({ ...own, APP_ENV: declaredMode }, folder, { app, missing: wanted });

  const path = join(folder, secretsFile);
  const merged = () => ({ ...declared, ...readValues(path), ...own });
  const env = merged();
  const missing = Object.keys(generators).filter((name) => pick(env, name) === undefined);
  if (missing.length === 0 || wanted === "leave") return { env, created: undefined };
  if (wanted === "make") {
    const made = Object.entries(generators).filter(([name]) => missing.includes(name));
    return { env: { ...Object.fromEntries(made.map(([name, make]) => [name, make()])), ...env }, created: undefined };
  }
  const created = addSecrets(path, missing) ? path : undefined;
  return { env: merged(), created };
}
