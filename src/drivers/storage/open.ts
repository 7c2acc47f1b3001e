import type { Clock } from "../../core/clock.ts";
import type { Storage } from "./index.ts";
import { createLocalStorage } from "./local.ts";
import { createS3Storage } from "./s3/storage.ts";

interface StorageSettings {
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

/** The only switch on the names of storage drivers. */
export function openStorage({ config, name, clock }: OpenStorageOptions): Storage {
  const {
    path,
    bucket = "",
    endpoint,
    region = "us-east-1",
    accessKeyId = "",
    secretAccessKey = "",
    prefix = "",
  } = config;
  switch (config.driver) {
    case "local":
      return createLocalStorage({ name, path, clock });
    case "s3":
      return createS3Storage({ name, bucket, endpoint, region, accessKeyId, secretAccessKey, prefix, clock });
  }
}
