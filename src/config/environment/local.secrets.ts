import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { parseEnv } from "node:util";
import { randomToken } from "../../core/crypto.ts";
import { errorCode } from "../../core/errors.ts";
import type { EnvironmentValues } from "../reader.ts";
import { generatedMark } from "../rules/guessable.ts";
import type { VariableName } from "../variables/index.ts";

const header = "# Generated for local use only. Keep it out of version control.\n";
const lockTries = 300;
const lockPauseMs = 10;

/** Returns a marked secret: by the mark, staging and production refuse one that was copied from a local file. */
const freshSecret = (): string => `${generatedMark}${randomToken()}`;

/** The token of `admin`: the right to ask one app must not include the other. */
const adminToken = "ADMIN_APP_DIAG_TOKEN";

const generators = {
  API_JWT_SECRET_KEY: freshSecret,
  APP_KEY: freshSecret,
  APP_DIAG_TOKEN: freshSecret,
  [adminToken]: freshSecret,
  LIGHTHOUSE_SECRET: freshSecret,
  // People copy this value. Its end satisfies every AUTH_PASSWORD_REQUIRE_* setting.
  AUTH_BOOTSTRAP_PASSWORD: () => `${randomToken().slice(0, 22)}-aA1`,
} as const satisfies Partial<Record<VariableName | typeof adminToken, () => string>>;

/**
 * Returns the secrets that a local start makes if nobody has set them. A diagnostic token that a person has set counts for both apps: a
 * made one for `admin` would override it there.
 */
export const localSecrets = (hasOwnToken: boolean): readonly string[] =>
  Object.keys(generators).filter((name) => name !== adminToken || !hasOwnToken);

/** Secrets that testing makes. Accounts and pages are made only on request there, so their secrets are left out. */
export const testingSecrets = [
  "API_JWT_SECRET_KEY",
  "APP_KEY",
  "APP_DIAG_TOKEN",
] as const satisfies readonly (keyof typeof generators)[];

export const makeSecrets = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(generators)
      .filter(([name]) => names.includes(name))
      .map(([name, generate]) => [name, generate()]),
  );

/** Drops empty values, which count as not set everywhere. */
export const withoutEmpty = (env: EnvironmentValues): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw new Error(`${path} can't be read (${errorCode(error)})`, { cause: error });
  }
}

/** Reads a file of `NAME=value` lines. Returns nothing if there is no file. */
export const readValues = (path: string): Record<string, string> => withoutEmpty(parseEnv(readText(path)));

/** Replaces a file in one step: a process that reads it without the lock sees the old content or the new one. */
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

/** Appends the secrets that the file still lacks. Returns false if it lacks none by now. */
function append(path: string, names: readonly string[]): boolean {
  const text = readText(path);
  const kept = parseEnv(text);
  const lines = Object.entries(makeSecrets(names.filter((name) => !kept[name]))).map(
    ([name, secret]) => `${name}=${secret}\n`,
  );
  if (lines.length > 0) replaceFile(path, `${text === "" ? header : text.replace(/\n?$/, "\n")}${lines.join("")}`);
  return lines.length > 0;
}

/**
 * Adds secrets to the file that keeps them, and returns whether it did. If several first starts run at once, one adds the secrets, and the
 * others wait for its lock and then find nothing missing.
 */
export function keepSecrets(path: string, names: readonly string[]): boolean {
  const lock = `${path}.lock`;
  try {
    for (let tries = 0; tries < lockTries; tries += 1) {
      if (!takeLock(lock)) {
        Bun.sleepSync(lockPauseMs);
        continue;
      }
      try {
        return append(path, names);
      } finally {
        rmSync(lock, { force: true });
      }
    }
  } catch (error) {
    const instead = `make its folder writable, or set ${names.join(", ")}`;
    throw new Error(`${path} can't be written (${errorCode(error)}), where local keeps its secrets: ${instead}`, {
      cause: error,
    });
  }
  throw new Error(`${lock} was left behind by a start that was killed: remove it`);
}
