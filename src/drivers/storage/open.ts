import { resolve } from "node:path";
import type { Clock } from "../../core/clock.ts";
import type { Storage } from "./index.ts";
import { createLocalStorage } from "./local.ts";
import { addressOf } from "./s3/client.ts";
import { createS3Storage } from "./s3/storage.ts";

export interface StorageSettings {
  readonly driver: "local" | "s3";
  readonly path: string;
  readonly bucket?: string | undefined;
  readonly endpoint?: URL | undefined;
  readonly region?: string | undefined;
  readonly accessKeyId?: string | undefined;
  readonly secretAccessKey?: string | undefined;
  readonly prefix?: string | undefined;
}

export interface OpenStorageOptions {
  readonly config: StorageSettings;
  readonly name: string;
  readonly clock: Clock;
}

function bucketOf(config: StorageSettings) {
  const { bucket = "", endpoint, region = "us-east-1", accessKeyId = "", secretAccessKey = "" } = config;
  return { bucket, endpoint, region, accessKeyId, secretAccessKey };
}

/** Opens a disk. No other code switches on the names of storage drivers. */
export function openStorage({ config, name, clock }: OpenStorageOptions): Storage {
  switch (config.driver) {
    case "local":
      return createLocalStorage({ name, path: config.path });
    case "s3":
      return createS3Storage({ ...bucketOf(config), name, prefix: config.prefix ?? "", clock });
  }
}

/** Returns where the files are, for people: a path, or the address of a bucket. */
export const describeStorage = (config: StorageSettings): string =>
  config.driver === "local" ? resolve(config.path) : addressOf(bucketOf(config));
