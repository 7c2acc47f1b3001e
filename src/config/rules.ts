import { isAbsolute, relative } from "node:path";
import type { Config, Environment, SplitRole } from "./index.ts";
import { defaultResource, splitList, type Reader } from "./reader.ts";
import { generatedMark, isGuessable, isPlaceholder } from "./secrets.ts";
import { variables, type VariableName } from "./variables.ts";

const deploymentSecrets = ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN"] as const;
const chosenDrivers = [
  "DB_DRIVER",
  "CACHE_DRIVER",
  "EVENTS_DRIVER",
  "STORAGE_DRIVER",
  "QUEUE_DRIVER",
  "MAIL_DRIVER",
  "APP_MAINTENANCE_DRIVER",
] as const;
const bootstrapVariables = ["AUTH_BOOTSTRAP_USERNAME", "AUTH_BOOTSTRAP_EMAIL", "AUTH_BOOTSTRAP_PASSWORD"] as const;
const minJwtSecretBytes = 32;
const minSecretLength = 16;

interface Runtime {
  readonly role: SplitRole | undefined;
  readonly releaseFolder: string | undefined;
}

function secretProblems(reader: Reader, { mail }: Config): string[] {
  const problems = reader.isGiven("APP_URL") ? [] : ["APP_URL is required outside local and testing"];
  for (const name of [...deploymentSecrets, "LIGHTHOUSE_SECRET"] as const) {
    const secret = reader.text(name);
    if (secret === "") continue;
    if (secret.startsWith(generatedMark))
      problems.push(`${name} was generated for local use: generate another with key:generate`);
    else if (isGuessable(secret))
      problems.push(`${name} is a placeholder or easily guessed: generate one with key:generate`);
    else if (secret.length < minSecretLength) problems.push(`${name} must have at least ${minSecretLength} characters`);
  }
  for (const previous of splitList(reader.text("API_JWT_PREVIOUS_SECRET_KEYS"))) {
    if (isGuessable(previous) || previous.startsWith(generatedMark)) {
      problems.push("API_JWT_PREVIOUS_SECRET_KEYS holds a placeholder, a local or an easily guessed key");
    }
  }
  const judged: ReadonlySet<string> = new Set([...deploymentSecrets, "LIGHTHOUSE_SECRET", ...bootstrapVariables]);
  for (const variable of variables) {
    const { name } = variable;
    const value = reader.text(name);
    const isSecret = "secret" in variable && !judged.has(name);
    if (/^<[^>]*>$/.test(value) || (isSecret && value !== "" && isPlaceholder(value))) {
      problems.push(`${name} still holds its placeholder`);
    }
  }
  if (mail.driver === "smtp" && !reader.isGiven("MAIL_FROM")) {
    problems.push("MAIL_FROM is required with MAIL_DRIVER=smtp outside local and testing");
  }
  return problems;
}

function localOnlyProblems(reader: Reader): string[] {
  const bootstrap = bootstrapVariables
    .filter((name) => reader.isGiven(name))
    .map((name) => `${name} is for local development only: remove it`);
  const returned = (["AUTH_PASSWORD_RESET_RETURN_TOKEN", "AUTH_EMAIL_VERIFICATION_RETURN_TOKEN"] as const)
    .filter((name) => reader.flag(name))
    .map((name) => `${name} would hand mailed tokens to anyone who asks: remove it`);
  return [...bootstrap, ...returned];
}

function productionProblems(reader: Reader, config: Config, runtime: Runtime): string[] {
  const { cache, database, lighthouse, queue, storage } = config;
  const problems = chosenDrivers
    .filter((name) => !reader.isGiven(name))
    .map((name) => `${name} must be chosen explicitly in production`);
  for (const [name, { driver }] of Object.entries(queue.resources))
    if (driver === "sync")
      problems.push(
        `${variableOf("QUEUE", name, "DRIVER")}=sync loses jobs when the process ends: use database in production`,
      );
  for (const name of memoryCaches(cache))
    if (reader.isGiven("CACHE_DRIVER") || name !== "CACHE_DRIVER")
      problems.push(`${name}=memory is each process's own: use database in production`);
  const paths = [["DB_DATABASE", database.path] as const, ...Object.entries(storage).map(pathOfDisk)];
  if (reader.isGiven("LIGHTHOUSE_INSPECT_PATH")) paths.push(["LIGHTHOUSE_INSPECT_PATH", lighthouse.path]);
  for (const [name, path] of paths) {
    if (!isAbsolute(path)) problems.push(`${name} must be an absolute path outside the release in production`);
    else if (runtime.releaseFolder !== undefined && isInside(runtime.releaseFolder, path))
      problems.push(`${name} lies in the folder of the binary, which the next release replaces: move it out`);
  }
  return problems;
}

const variableOf = (family: string, resource: string, suffix: string): string =>
  resource === defaultResource ? `${family}_${suffix}` : `${family}_${resource.toUpperCase()}_${suffix}`;

const pathOfDisk = ([resource, { path }]: [string, { readonly path: string }]) =>
  [variableOf("STORAGE", resource, "PATH"), path] as const;

const memoryCaches = (cache: Config["cache"]): readonly string[] =>
  Object.entries(cache)
    .filter(([, { driver }]) => driver === "memory")
    .map(([resource]) => variableOf("CACHE", resource, "DRIVER"));

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

/** Roles apart share no memory. Events need no rule: who subscribes runs in the process that publishes, whichever that is. */
const splitProblems = ({ queue }: Config, { role }: Runtime): string[] =>
  role === "worker" && Object.values(queue.resources).every(({ driver }) => driver === "sync")
    ? ["QUEUE_DRIVER=sync leaves a worker nothing to do: jobs run in the process that makes them"]
    : [];

function crossProblems(reader: Reader, { auth, backup, mail, storage }: Config): string[] {
  const problems: string[] = [];
  if (backup.disk !== undefined && !Object.hasOwn(storage, backup.disk))
    problems.push(`BACKUP_DISK must name a storage disk: ${Object.keys(storage).join(", ")}`);
  // A default that another variable has made pointless is no mistake of whoever set that one.
  const notLonger = (shorter: VariableName, longer: VariableName): void => {
    if (reader.isGiven(shorter) && reader.durationMs(shorter) > reader.durationMs(longer))
      problems.push(`${shorter} must not exceed ${longer}`);
  };
  notLonger("AUTH_ACCESS_TOKEN_TTL", "AUTH_SESSION_TTL");
  notLonger("AUTH_SESSION_IDLE_TTL", "AUTH_SESSION_TTL");
  notLonger("AUTH_SESSION_TTL", "AUTH_REMEMBER_SESSION_TTL");
  for (const name of deploymentSecrets) {
    if (!reader.isGiven(name)) problems.push(`${name} is required`);
  }
  if (auth.jwtSecret !== "" && Buffer.byteLength(auth.jwtSecret) < minJwtSecretBytes) {
    problems.push(`API_JWT_SECRET_KEY must have at least ${minJwtSecretBytes} bytes`);
  }
  for (const previous of auth.jwtPreviousSecrets) {
    if (Buffer.byteLength(previous) < minJwtSecretBytes) {
      problems.push(`API_JWT_PREVIOUS_SECRET_KEYS: each key must have at least ${minJwtSecretBytes} bytes`);
    }
  }
  if (mail.driver === "smtp" && mail.smtp.host === "")
    problems.push("MAIL_SMTP_HOST is required with MAIL_DRIVER=smtp");
  if (reader.isGiven("MAIL_SMTP_USERNAME") !== reader.isGiven("MAIL_SMTP_PASSWORD")) {
    problems.push("MAIL_SMTP_USERNAME and MAIL_SMTP_PASSWORD are given together or not at all");
  }
  return problems;
}

function maintenanceProblems(env: Environment, reader: Reader, { maintenance, cache }: Config): string[] {
  if (!Object.hasOwn(cache, maintenance.store))
    return [`APP_MAINTENANCE_STORE must be the name of a cache: ${Object.keys(cache).join(", ")}`];
  // That the cache is a shared one is a rule of all caches in production.
  if (env !== "production" || !reader.isGiven("APP_MAINTENANCE_DRIVER") || maintenance.driver === "cache") return [];
  return ["APP_MAINTENANCE_DRIVER=memory holds for one process only: use cache in production"];
}

/** Locally and in testing; elsewhere the account is refused altogether. */
function bootstrapProblems(reader: Reader, { auth }: Config): string[] {
  const [username, email, password] = bootstrapVariables;
  if (reader.isGiven(username) !== reader.isGiven(email))
    return [`${username} and ${email} are given together or not at all`];
  if (reader.isGiven(username) && !reader.isGiven(password)) return [`${password} is required with ${username}`];
  const { bootstrap, passwordMinLength } = auth;
  const { password: secret = "" } = bootstrap ?? {};
  const isShort = secret !== "" && [...secret].length < passwordMinLength;
  return isShort ? [`${password} must have at least ${passwordMinLength} characters (AUTH_PASSWORD_MIN_LENGTH)`] : [];
}

/** What starts all the same, but an operator should know. */
export function ruleWarnings(env: Environment, reader: Reader, config: Config, { role }: Runtime): readonly string[] {
  if (env === "local" || env === "testing") return [];
  const { app, auth, cache, http, mail } = config;
  const warnings: string[] = [];
  for (const name of role === undefined ? [] : memoryCaches(cache))
    warnings.push(`${name}=memory is each process's own: roles that run apart don't share it`);
  if (reader.isGiven("APP_URL") && app.url.protocol !== "https:")
    warnings.push("APP_URL is not https: cookies and passwords travel in the clear");
  if (auth.cookieSecure === "false")
    warnings.push("AUTH_COOKIE_SECURE=false sends the session cookies over plain HTTP too");
  if (mail.driver === "log") warnings.push("MAIL_DRIVER=log sends no mail: nobody can reset a password");
  if (http.trustedProxies.some((block) => block.endsWith("/0"))) {
    warnings.push("API_TRUSTED_PROXIES trusts every address: clients can choose the one that limits count");
  }
  if (reader.flag("LIGHTHOUSE_INSPECT_ENABLED") && !reader.isGiven("LIGHTHOUSE_SECRET"))
    warnings.push(
      "LIGHTHOUSE_INSPECT_ENABLED without LIGHTHOUSE_SECRET: nothing is recorded, for nobody could read it",
    );
  if (app.key !== "" && app.key === auth.jwtSecret) warnings.push("APP_KEY and API_JWT_SECRET_KEY are the same secret");
  return warnings;
}

/** What one value alone does not show (SEED §8, CONTRACT §10). */
export function ruleProblems(env: Environment, reader: Reader, config: Config, runtime: Runtime): readonly string[] {
  const deployed = env === "staging" || env === "production";
  return [
    ...(deployed
      ? [...secretProblems(reader, config), ...localOnlyProblems(reader)]
      : bootstrapProblems(reader, config)),
    ...(env === "production" ? productionProblems(reader, config, runtime) : []),
    ...splitProblems(config, runtime),
    ...crossProblems(reader, config),
    ...maintenanceProblems(env, reader, config),
  ];
}
