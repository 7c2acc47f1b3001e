import { isAbsolute, relative } from "node:path";
import { variables } from "../variables/index.ts";
import { bootstrapVariables, neededSecrets } from "./consistency.ts";
import { generatedMark, isExampleKey, isGuessable, isPlaceholder } from "./guessable.ts";
import { thatHold, type Judged } from "./judged.ts";
import { memoryCaches, settingOf } from "./drivers/resources.ts";

const minSecretLength = 16;
const generatedSecrets = [...neededSecrets, "LIGHTHOUSE_SECRET"] as const;

function secretComplaint(secret: string): string | undefined {
  if (secret.startsWith(generatedMark)) return "was generated for local use: generate another with key:generate";
  if (isGuessable(secret)) return "is a placeholder or easily guessed: generate one with key:generate";
  return secret.length < minSecretLength ? `must have at least ${minSecretLength} characters` : undefined;
}

function secretProblems({ reader, config }: Judged): readonly string[] {
  const weak = generatedSecrets.flatMap((name) => {
    const secret = reader.text(name);
    const complaint = secret === "" ? undefined : secretComplaint(secret);
    return complaint === undefined ? [] : [`${name} ${complaint}`];
  });
  const previous = (
    [
      ["API_JWT_PREVIOUS_SECRET_KEYS", config.auth.jwtPreviousSecrets],
      ["APP_PREVIOUS_KEYS", config.app.previousKeys],
    ] as const
  ).flatMap(([name, secrets]) =>
    secrets
      .filter((secret) => isGuessable(secret) || secret.startsWith(generatedMark))
      .map(() => `${name} holds a placeholder, a local or an easily guessed key`),
  );
  return [...weak, ...previous];
}

/** Finds values that were copied from a sample file and never replaced. */
function placeholderProblems({ reader }: Judged): readonly string[] {
  const judged: ReadonlySet<string> = new Set([...generatedSecrets, ...bootstrapVariables]);
  return variables
    .filter((variable) => {
      const value = reader.text(variable);
      const isSecret = variable.secret === true && !judged.has(variable.name);
      return /^<[^>]*>$/.test(value) || (isSecret && value !== "" && isPlaceholder(value));
    })
    .map(({ name }) => `${name} still holds its placeholder`);
}

const exampleKey = "example key of a standard or a tutorial";
const handsOut = "would hand mailed tokens to anyone who asks: remove it";

/** Finds everything that staging and production refuse. */
export function deploymentProblems(judged: Judged): readonly string[] {
  const { reader, config } = judged;
  const { auth, http, idp, mail } = config;
  const bootstrap = bootstrapVariables.filter((name) => reader.isSet(name));
  return thatHold([
    !reader.isSet("APP_URL") && "APP_URL is required outside local and testing",
    ...secretProblems(judged),
    auth.jwtPrivateKey !== undefined &&
      isExampleKey(auth.jwtPrivateKey) &&
      `API_JWT_PRIVATE_KEY is an ${exampleKey}: generate one with key:generate --signing`,
    auth.jwtPreviousPublicKeys.some(isExampleKey) &&
      `API_JWT_PREVIOUS_PUBLIC_KEYS holds an ${exampleKey}: anybody can sign with it`,
    idp.rsaPrivateKey !== undefined &&
      isExampleKey(idp.rsaPrivateKey) &&
      `IDP_RSA_PRIVATE_KEY is an ${exampleKey}: generate one with key:generate --idp`,
    idp.previousRsaPublicKeys.some(isExampleKey) &&
      `IDP_PREVIOUS_RSA_PUBLIC_KEYS holds an ${exampleKey}: anybody can sign with it`,
    ...placeholderProblems(judged),
    mail.driver === "smtp" &&
      !reader.isSet("MAIL_FROM") &&
      "MAIL_FROM is required with MAIL_DRIVER=smtp outside local and testing",
    http.allowedOrigins.some((origin) => !origin.startsWith("https:")) &&
      "AUTH_ALLOWED_ORIGINS must be https outside local and testing",
    auth.webauthnOrigins.some((origin) => !origin.startsWith("https:")) &&
      "AUTH_WEBAUTHN_ORIGINS must be https outside local and testing",
    ...bootstrap.map((name) => `${name} is for local development only: remove it`),
    auth.passwordResetReturnToken && `AUTH_PASSWORD_RESET_RETURN_TOKEN ${handsOut}`,
    auth.emailVerificationReturnToken && `AUTH_EMAIL_VERIFICATION_RETURN_TOKEN ${handsOut}`,
  ]);
}

/** Variables that production must set: a driver decides where data lives, and a person must have chosen it, not a default. */
const driverVariables = variables.filter(({ name }) => name.endsWith("_DRIVER") && !name.includes("<NAME>"));

function driverProblems({ reader, config }: Judged): readonly string[] {
  const unchosen = driverVariables
    .filter((variable) => !reader.isSet(variable))
    .map(({ name }) => `${name} must be chosen explicitly in production`);
  const lossy = Object.entries(config.queue.resources)
    .filter(([, { driver }]) => driver === "sync")
    .map(([queue]) => settingOf("QUEUE", queue, "DRIVER"))
    .map((name) => `${name}=sync loses jobs when the process ends: use database or redis in production`);
  const unshared = memoryCaches(config.cache)
    .filter((name) => reader.isSet("CACHE_DRIVER") || name !== "CACHE_DRIVER")
    .map((name) => `${name}=memory is each process's own: use database or redis in production`);
  return [...unchosen, ...lossy, ...unshared];
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}

function pathProblems({ reader, config, releaseFolder }: Judged): readonly string[] {
  const { database, lighthouse, storage } = config;
  const disks = Object.entries(storage)
    .filter(([, { driver }]) => driver === "local")
    .map(([disk, { path }]) => [settingOf("STORAGE", disk, "PATH"), path] as const);
  // Inspects lie beside the database's file unless their own path is set.
  const hasFile = database.driver === "sqlite";
  const files = hasFile ? [["DB_DATABASE", database.path] as const] : [];
  const inspects =
    reader.isSet("LIGHTHOUSE_INSPECT_PATH") || (lighthouse.recording && !hasFile)
      ? [["LIGHTHOUSE_INSPECT_PATH", lighthouse.path] as const]
      : [];
  return [...files, ...disks, ...inspects].flatMap(([name, path]) => {
    if (!isAbsolute(path)) return [`${name} must be an absolute path outside the release in production`];
    return releaseFolder !== undefined && isInside(releaseFolder, path)
      ? [`${name} lies in the folder of the binary, which the next release replaces: move it out`]
      : [];
  });
}

export const productionProblems = (judged: Judged): readonly string[] => [
  ...driverProblems(judged),
  ...pathProblems(judged),
];
