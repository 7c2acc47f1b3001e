import { isAbsolute } from "node:path";
import type { Config, Environment } from "./index.ts";
import { splitList, type Reader } from "./reader.ts";
import { variables, type VariableName } from "./variables.ts";

const deploymentSecrets = ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN"] as const;
const minJwtSecretBytes = 32;
const minSecretLength = 16;
const placeholder = /^<.*>$|^(?:change.?me|secret|password|example|placeholder|your[-_ ].*|todo|xxx+|test|default)\W*$/i;

/** Of one character, or of one short run of them over and over: typed, not generated. */
function isGuessable(secret: string): boolean {
  return placeholder.test(secret) || new Set(secret).size < 8 || /^(.{1,8})\1+$/s.test(secret);
}

function secretProblems(reader: Reader): string[] {
  const problems = reader.isGiven("APP_URL") ? [] : ["APP_URL is required outside local and testing"];
  for (const name of deploymentSecrets) {
    const secret = reader.text(name);
    if (secret === "") continue;
    if (isGuessable(secret)) problems.push(`${name} is a placeholder or easily guessed: generate one with key:generate`);
    else if (secret.length < minSecretLength) problems.push(`${name} must have at least ${minSecretLength} characters`);
  }
  for (const previous of splitList(reader.text("API_JWT_PREVIOUS_SECRET_KEYS"))) {
    if (isGuessable(previous)) problems.push("API_JWT_PREVIOUS_SECRET_KEYS holds a placeholder or an easily guessed key");
  }
  for (const { name } of variables) {
    if (/^<[^>]*>$/.test(reader.text(name))) problems.push(`${name} still holds its placeholder`);
  }
  return problems;
}

function localOnlyProblems(reader: Reader): string[] {
  const bootstrap = (["AUTH_BOOTSTRAP_USERNAME", "AUTH_BOOTSTRAP_EMAIL", "AUTH_BOOTSTRAP_PASSWORD"] as const)
    .filter((name) => reader.isGiven(name))
    .map((name) => `${name} is for local development only: remove it`);
  const returned = (["AUTH_PASSWORD_RESET_RETURN_TOKEN", "AUTH_EMAIL_VERIFICATION_RETURN_TOKEN"] as const)
    .filter((name) => reader.flag(name))
    .map((name) => `${name} would hand mailed tokens to anyone who asks: remove it`);
  return [...bootstrap, ...returned];
}

function productionProblems(reader: Reader, { database, queue }: Config): string[] {
  const drivers = (["DB_DRIVER", "QUEUE_DRIVER", "MAIL_DRIVER"] as const)
    .filter((name) => !reader.isGiven(name))
    .map((name) => `${name} must be chosen explicitly in production`);
  if (queue.driver === "sync") drivers.push("QUEUE_DRIVER=sync loses jobs when the process ends: use database in production");
  if (!isAbsolute(database.path)) drivers.push("DB_DATABASE must be an absolute path outside the release in production");
  return drivers;
}

function crossProblems(reader: Reader, { auth, mail }: Config): string[] {
  const problems: string[] = [];
  const notLonger = (shorter: VariableName, longer: VariableName): void => {
    if (reader.durationMs(shorter) > reader.durationMs(longer)) problems.push(`${shorter} must not exceed ${longer}`);
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
  if (mail.driver === "smtp" && mail.smtp.host === "") problems.push("MAIL_SMTP_HOST is required with MAIL_DRIVER=smtp");
  if ((mail.smtp.username === "") !== (mail.smtp.password === "")) {
    problems.push("MAIL_SMTP_USERNAME and MAIL_SMTP_PASSWORD are given together or not at all");
  }
  return problems;
}

/** What one value alone does not show (SEED §8, CONTRACT §10). */
export function ruleProblems(env: Environment, reader: Reader, config: Config): readonly string[] {
  const deployed = env === "staging" || env === "production";
  return [
    ...(deployed ? [...secretProblems(reader), ...localOnlyProblems(reader)] : []),
    ...(env === "production" ? productionProblems(reader, config) : []),
    ...crossProblems(reader, config),
  ];
}
