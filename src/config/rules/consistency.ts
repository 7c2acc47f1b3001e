import { table } from "../variables/index.ts";
import { thatHold, type Judged } from "./judged.ts";
import { settingOf } from "./drivers/resources.ts";

export const neededSecrets = ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN"] as const;
export const bootstrapVariables = [
  "AUTH_BOOTSTRAP_USERNAME",
  "AUTH_BOOTSTRAP_EMAIL",
  "AUTH_BOOTSTRAP_PASSWORD",
] as const;
/** The least length of an HS256 key: that of its hash (RFC 7518 §3.2). */
const minJwtSecretBytes = 32;

/** Pairs of times, of which the first must not exceed the second. */
const ascending = [
  ["accessTtlMs", "sessionTtlMs"],
  ["sessionIdleTtlMs", "sessionTtlMs"],
  ["sessionTtlMs", "rememberSessionTtlMs"],
] as const;

function lifetimeProblems({ reader, config: { auth } }: Judged): readonly string[] {
  const { auth: named } = table;
  // Only set values are judged: a default that another variable has overtaken is nobody's mistake.
  return ascending
    .filter(([shorter, longer]) => reader.isSet(named[shorter]) && auth[shorter] > auth[longer])
    .map(([shorter, longer]) => `${named[shorter].name} must not exceed ${named[longer].name}`);
}

function secretProblems({ reader, config: { auth } }: Judged): readonly string[] {
  const isShort = (secret: string): boolean => Buffer.byteLength(secret) < minJwtSecretBytes;
  const least = `must have at least ${minJwtSecretBytes} bytes`;
  return thatHold([
    ...neededSecrets.filter((name) => !reader.isSet(name)).map((name) => `${name} is required`),
    auth.jwtSecret !== "" && isShort(auth.jwtSecret) && `API_JWT_SECRET_KEY ${least}`,
    auth.jwtPreviousSecrets.some(isShort) && `API_JWT_PREVIOUS_SECRET_KEYS: each key ${least}`,
  ]);
}

const kitProblems = ({ config: { http } }: Judged): readonly string[] =>
  http.kit === "server" && !http.pagesEnabled
    ? ["FRONTEND_KIT=server serves pages alone, and FRONTEND_ENABLED=false leaves them out: nobody could sign in"]
    : [];

function mailProblems({ reader, config: { mail } }: Judged): readonly string[] {
  return thatHold([
    mail.driver === "smtp" && mail.smtp.host === "" && "MAIL_SMTP_HOST is required with MAIL_DRIVER=smtp",
    reader.isSet("MAIL_SMTP_USERNAME") !== reader.isSet("MAIL_SMTP_PASSWORD") &&
      "MAIL_SMTP_USERNAME and MAIL_SMTP_PASSWORD are given together or not at all",
  ]);
}

function maintenanceProblems({ reader, config: { app, cache, maintenance } }: Judged): readonly string[] {
  if (!Object.hasOwn(cache, maintenance.store))
    return [`APP_MAINTENANCE_STORE must be the name of a cache: ${Object.keys(cache).join(", ")}`];
  if (maintenance.driver === "memory")
    return app.env === "production" && reader.isSet("APP_MAINTENANCE_DRIVER")
      ? ["APP_MAINTENANCE_DRIVER=memory holds for one process only: use cache in production"]
      : [];
  // Production refuses every cache in memory by another rule, so the mistake is reported once.
  if (app.env !== "staging" || cache[maintenance.store]?.driver !== "memory") return [];
  const store = settingOf("CACHE", maintenance.store, "DRIVER");
  return [
    `APP_MAINTENANCE_DRIVER=cache is for all processes, and ${store}=memory is each process's own: use database or redis`,
  ];
}

const everyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** Finds metrics on the port of HTTP, in a process that serves both. */
function portProblems({ role, config: { http, metrics } }: Judged): readonly string[] {
  const servesHttp = role === undefined || role === "api";
  const hosts = [http.host, metrics.host];
  const sharesAddress =
    http.host === metrics.host ||
    (http.host === "localhost" && ["127.0.0.1", "::1"].includes(metrics.host)) ||
    hosts.some((host) => everyAddress.has(host));
  const sharesPort = metrics.enabled && http.port !== 0 && metrics.httpPort === http.port;
  return servesHttp && sharesAddress && sharesPort ? ["METRICS_HTTP_PORT must differ from API_HTTP_PORT"] : [];
}

function backupProblems({ config: { backup, database, storage } }: Judged): readonly string[] {
  if (backup.disk === undefined)
    return backup.changesIntervalMs === undefined
      ? []
      : ["BACKUP_CHANGES_INTERVAL needs BACKUP_DISK, where changes go"];
  // A disk for backups that are never made would only give false confidence.
  if (database.driver !== "sqlite")
    return ["BACKUP_DISK is for SQLite: with DB_DRIVER=postgres remove it, and back the database up with pg_dump"];
  return Object.hasOwn(storage, backup.disk)
    ? []
    : [`BACKUP_DISK must name a storage disk: ${Object.keys(storage).join(", ")}`];
}

function passwordProblems({ config: { auth } }: Judged): readonly string[] {
  return auth.passwordMinLengthAlone < auth.passwordMinLength
    ? ["AUTH_PASSWORD_MIN_LENGTH_ALONE must not be less than AUTH_PASSWORD_MIN_LENGTH"]
    : [];
}

/** Finds contradictions, whatever APP_ENV. */
export function consistencyProblems(judged: Judged): readonly string[] {
  const { app, queue } = judged.config;
  // Separate roles share no memory. Events need no such rule: their subscribers run in the process that publishes.
  const idleWorker =
    judged.role === "worker" && Object.values(queue.resources).every(({ driver }) => driver === "sync")
      ? ["QUEUE_DRIVER=sync leaves a worker nothing to do: jobs run in the process that makes them"]
      : [];
  const termsNowhere =
    app.termsVersion !== undefined && app.termsUrl === undefined
      ? ["APP_TERMS_VERSION needs APP_TERMS_URL, where people read what they accept"]
      : [];
  const logoAlone =
    app.logoPath === undefined
      ? [
          ...(app.logoDarkPath === undefined ? [] : ["APP_LOGO_DARK_PATH needs APP_LOGO_PATH, for light pages"]),
          ...(app.logoHasName ? ["APP_LOGO_HAS_NAME needs APP_LOGO_PATH, the picture that holds the name"] : []),
        ]
      : [];
  return [
    ...idleWorker,
    ...termsNowhere,
    ...logoAlone,
    ...passwordProblems(judged),
    ...backupProblems(judged),
    ...lifetimeProblems(judged),
    ...portProblems(judged),
    ...secretProblems(judged),
    ...kitProblems(judged),
    ...mailProblems(judged),
    ...maintenanceProblems(judged),
  ];
}

/** Judges the account that a start makes in local and testing; elsewhere there is none. */
export function bootstrapProblems({ reader, config: { auth } }: Judged): readonly string[] {
  const [username, email, password] = bootstrapVariables;
  if (reader.isSet(username) !== reader.isSet(email))
    return [`${username} and ${email} are given together or not at all`];
  if (reader.isSet(username) && !reader.isSet(password)) return [`${password} is required with ${username}`];
  const { bootstrap, passwordMinLengthAlone: least } = auth;
  const { password: secret = "" } = bootstrap ?? {};
  const isShort = secret !== "" && [...secret].length < least;
  return isShort ? [`${password} must have at least ${least} characters (AUTH_PASSWORD_MIN_LENGTH_ALONE)`] : [];
}
