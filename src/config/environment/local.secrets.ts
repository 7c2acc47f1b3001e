import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { parseEnv } from "node:util";
import { randomToken } from "../../core/crypto.ts";
import { errorCode } from "../../core/error.code.ts";
import type { EnvironmentValues } from "../reader.ts";
import { generatedMark } from "../rules/guessable.ts";
import type { VariableName } from "../variables/index.ts";

const header = "# Generated for local use only. Keep it out of version control.\n";
const lockTries = 300;
const lockPauseMs = 10;

/** The mark lets staging and production refuse a secret that was copied from a local file. */
const freshSecret = (): string => `${generatedMark}${randomToken()}`;

/** The token of `admin`, so that whoever may ask one app may not ask the other. */
const adminToken = "ADMIN_APP_DIAG_TOKEN";

const generators = {
  API_JWT_SECRET_KEY: freshSecret,
  APP_KEY: freshSecret,
  APP_DIAG_TOKEN: freshSecret,
  [adminToken]: freshSecret,
  LIGHTHOUSE_SECRET: freshSecret,
  // A person copies this one; its end satisfies whatever AUTH_PASSWORD_REQUIRE_* ask for.
  AUTH_BOOTSTRAP_PASSWORD: () => `${randomToken().slice(0, 22)}-aA1`,
} as const satisfies Partial<Record<VariableName | typeof adminToken, () => string>>;

/**
 * The secrets that a local start makes where nobody has set them. A diagnostic token that a person has set counts for both
 * apps: another one for `admin` would win over it.
 */
export const localSecrets = (hasOwnToken: boolean): readonly string[] =>
  Object.keys(generators).filter((name) => name !== adminToken || !hasOwnToken);

/** The same for testing, which makes no account and no pages that nobody asked for. */
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

/** An empty value counts as not set, wherever it stands. */
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

/** The values in a file of the form `NAME=value`; none where there is no file. */
export const readValues = (path: string): Record<string, string> => withoutEmpty(parseEnv(readText(path)));

/** A process that reads the file without taking the lock sees it whole, as it was or as it is now. */
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

/** Appends the secrets that the file still lacks. False where it lacks none by now. */
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
 * Adds secrets to the file that keeps them, and says whether it did: of several first starts at once one does, while the others
 * wait for its lock and then find nothing missing.
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
