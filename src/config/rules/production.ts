import { isAbsolute, relative } from "node:path";
import { variables } from "../variables/index.ts";
import type { Judged } from "./judged.ts";
import { memoryCaches, settingOf } from "./drivers/resources.ts";

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
