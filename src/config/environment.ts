import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { randomToken } from "../core/crypto.ts";
import type { EnvironmentValues } from "./reader.ts";

const generated = ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN", "AUTH_BOOTSTRAP_PASSWORD"] as const;
const secretsFile = ".env.local";

export interface ResolvedEnvironment {
  readonly env: EnvironmentValues;
  /** The file that was made just now to keep the generated secrets. */
  readonly created: string | undefined;
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function readFile(path: string): EnvironmentValues | undefined {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw new Error(`${path} can't be read`, { cause: error });
  }
}

const freshSecrets = (): Record<string, string> => Object.fromEntries(generated.map((name) => [name, randomToken()]));

/** Written aside and linked into place, so that of two first starts one wins and the other never reads half a file. */
function createSecretsFile(path: string): boolean {
  const aside = `${path}.${process.pid}.${randomToken().slice(0, 8)}`;
  try {
    const file = openSync(aside, "wx", 0o600);
    try {
      const lines = Object.entries(freshSecrets()).map(([name, value]) => `${name}=${value}\n`);
      writeSync(file, `# Generated for local use only. Keep it out of version control.\n${lines.join("")}`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(aside, path);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    throw new Error(`${path} can't be written: local mode keeps its generated secrets there`, { cause: error });
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Locally, what is missing comes from `.env.local` (secrets, generated once, mode 0600) and `.env`; the process environment
 * wins. In testing, missing secrets live in memory alone. Elsewhere no file is read.
 */
export function resolveEnvironment(processEnv: EnvironmentValues, folder: string): ResolvedEnvironment {
  const mode = processEnv["APP_ENV"];
  if (mode === "testing") return { env: { ...freshSecrets(), AUTH_BOOTSTRAP_PASSWORD: undefined, ...processEnv }, created: undefined };
  if (mode !== undefined && mode !== "" && mode !== "local") return { env: processEnv, created: undefined };

  const declared = readFile(join(folder, ".env")) ?? {};
  const declaredMode = declared["APP_ENV"] ?? "local";
  if (declaredMode !== "local") return { env: { ...declared, ...processEnv }, created: undefined };

  const path = join(folder, secretsFile);
  const missing = generated.some((name) => (processEnv[name] ?? declared[name] ?? "") === "");
  const created = missing && readFile(path) === undefined && createSecretsFile(path);
  return { env: { ...declared, ...readFile(path), ...processEnv }, created: created ? path : undefined };
}
