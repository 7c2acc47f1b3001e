import { join } from "node:path";
import { prefixOf, valueIn, type EnvironmentValues } from "../reader.ts";
import { undeclaredProblems } from "../rules/undeclared.ts";
import type { AppName } from "../variables/kinds/variable.ts";
import { keepSecrets, localSecrets, makeSecrets, readValues, testingSecrets, withoutEmpty } from "./local.secrets.ts";
import { counterpart, readSecretSources, type Origin, type SecretFiles } from "./secret.sources.ts";

const secretsFile = ".env.local";

/** The layers as one environment, with the secrets from files. */
interface Assembled {
  readonly env: Readonly<Record<string, string>>;
  /** Problems with the files that hold secrets. */
  readonly files: SecretFiles;
  /** The source of each value in `env`. */
  readonly origins: ReadonlyMap<string, Origin>;
}

export interface ResolvedEnvironment extends Assembled {
  /** The file to which secrets were added just now. */
  readonly created: string | undefined;
}

export interface ResolveOptions {
  /** The app whose prefixed variables apply. */
  readonly app?: AppName;
  /** How to treat secrets that local lacks: keep them in the file (default), make them for this process alone, or leave them out. */
  readonly missing?: "keep" | "make" | "leave";
  /** The secrets whose files are read, so that a command which needs one opens no other's. Default: all. */
  readonly secrets?: readonly string[];
}

interface Layer {
  readonly from: Origin;
  readonly values: Readonly<Record<string, string>>;
}

/** Merges the layers. A later one wins over an earlier one, also where one sets a secret and the other its file. */
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

/** Adds secrets that exist in this process alone. */
function withMadeSecrets(assembled: Assembled, names: readonly string[]): Assembled {
  const made = makeSecrets(names);
  return {
    ...assembled,
    env: { ...made, ...assembled.env },
    origins: new Map([...Object.keys(made).map((name) => [name, "generated"] as const), ...assembled.origins]),
  };
}

/** Returns the secrets that a local start must make. A start that is refused for want of APP_ENV makes none and leaves nothing behind. */
function absentLocally({ env, files, origins }: Assembled, app: AppName): readonly string[] {
  if (undeclaredProblems(env, app).length > 0) return [];
  const token = origins.get(origins.has("APP_DIAG_TOKEN_FILE") ? "APP_DIAG_TOKEN_FILE" : "APP_DIAG_TOKEN");
  return localSecrets(token !== undefined && token !== secretsFile).filter(
    (name) => valueIn(env, app, name) === undefined && !files.unread.has(name),
  );
}

/**
 * Resolves the environment. In local, missing values come from `.env.local` (secrets, generated once, mode 0600) and `.env`; the process
 * environment wins. In testing, missing secrets are made in memory. Elsewhere neither file is read: a `.env` can name another APP_ENV, and
 * then gives nothing else. Everywhere a secret may have a file of its own, whose content enters no process's environment.
 */
export function resolveEnvironment(
  processEnv: EnvironmentValues,
  folder: string,
  options: ResolveOptions = {},
): ResolvedEnvironment {
  const { app = "app", missing = "keep", secrets } = options;
  const prefix = prefixOf(app);
  const set = withoutEmpty(processEnv);
  const pick = (env: Readonly<Record<string, string>>, name: string): string | undefined =>
    env[`${prefix}${name}`] ?? env[name];
  const modeOf = (env: Readonly<Record<string, string>>): string => pick(env, "APP_ENV") ?? "local";
  const ofProcess: Layer = { from: "environment", values: set };

  /** Joins layers and secret files. `relativeTo` is the base of relative paths of secret files; without it they are refused. */
  function assemble(layers: readonly Layer[], relativeTo?: string): Assembled {
    const { env, origins } = overlay(layers, prefix);
    const found = readSecretSources({ prefix, env, folder: relativeTo, only: secrets });
    return {
      env: { ...env, ...found.values },
      origins: new Map([...origins, ...found.origins]),
      files: found.files,
    };
  }

  function resolveTesting(): Assembled {
    const assembled = assemble([ofProcess], folder);
    if (missing === "leave") return assembled;
    // A secret that is set to nothing stays missing, so that tests can see how a start reacts.
    const absent = testingSecrets.filter(
      (name) =>
        processEnv[name] === undefined && assembled.env[name] === undefined && !assembled.files.unread.has(name),
    );
    return withMadeSecrets(assembled, absent);
  }

  function resolveLocal(declared: Layer): ResolvedEnvironment {
    const path = join(folder, secretsFile);
    const merge = () => assemble([declared, { from: secretsFile, values: readValues(path) }, ofProcess], folder);
    const merged = merge();
    const absent = absentLocally(merged, app);
    if (absent.length === 0 || missing === "leave") return { ...merged, created: undefined };
    if (missing === "make") return { ...withMadeSecrets(merged, absent), created: undefined };
    const created = keepSecrets(path, absent) ? path : undefined;
    return { ...merge(), created };
  }

  const mode = modeOf(set);
  if (mode === "testing") return { ...resolveTesting(), created: undefined };
  if (mode !== "local") return { ...assemble([ofProcess]), created: undefined };
  const declared: Layer = { from: ".env", values: readValues(join(folder, ".env")) };
  const declaredMode = modeOf({ ...declared.values, ...set });
  if (declaredMode === "local") return resolveLocal(declared);
  const { origins, ...rest } = resolveEnvironment({ ...set, APP_ENV: declaredMode }, folder, options);
  return { ...rest, origins: new Map([...origins, ["APP_ENV", ".env"]]) };
}
