import type { Config } from "../../config.ts";
import { defaultResource } from "../../reader.ts";
import { isLoopbackHost } from "../hosts.ts";
import type { Judged } from "../judged.ts";
import { settingOf } from "./resources.ts";

const needed = ["BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"] as const;

/** Finds contradictions about storage disks, whatever APP_ENV. */
export const storageProblems = ({ reader, config: { storage } }: Judged): readonly string[] =>
  Object.entries(storage).flatMap(([disk, { driver }]) => {
    const driverName = settingOf("STORAGE", disk, "DRIVER");
    const isSet = (setting: (typeof needed)[number]): boolean =>
      reader.isSet(disk === defaultResource ? `STORAGE_${setting}` : `STORAGE_<NAME>_${setting}`, disk);
    if (driver === "s3")
      return needed
        .filter((setting) => !isSet(setting))
        .map((setting) => `${driverName}=s3 needs ${settingOf("STORAGE", disk, setting)}`);
    return isSet("BUCKET") ? [`${settingOf("STORAGE", disk, "BUCKET")} is set, and ${driverName} is not s3`] : [];
  });

/** Warns of buckets on another machine that are reached without TLS. */
export const storageWarnings = ({ storage }: Config): readonly string[] =>
  Object.entries(storage).flatMap(([disk, { driver, endpoint }]) =>
    driver === "s3" && endpoint?.protocol === "http:" && !isLoopbackHost(endpoint)
      ? [`${settingOf("STORAGE", disk, "ENDPOINT")} is not https: all files of the disk travel in the clear`]
      : [],
  );
