import { addressFamily } from "../../core/address/address.family.ts";
import { accepts, choice, text, url, type Kind } from "./kinds/kinds.ts";
import type { Resources } from "./kinds/variable.ts";

/** The name of a bucket by Amazon's rules; other servers accept the same names. */
const bucket: Kind<string> = {
  complaint: accepts(
    (value) => /^[a-z\d](?:[a-z\d]|[.-](?![.-])){1,61}[a-z\d]$/.test(value) && addressFamily(value) === 0,
    "must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens",
  ),
  read: (value) => value,
};

const region: Kind<string> = {
  complaint: accepts((value) => /^[a-z\d-]{1,40}$/.test(value), "must be a region such as eu-central-1 or auto"),
  read: (value) => value,
};

/** A prefix of file names, without a slash at its end. */
const fileName: Kind<string> = {
  complaint: accepts(
    (value) => /^[A-Za-z\d][\w.-]{0,99}(?:\/[A-Za-z\d][\w.-]{0,99}){0,7}$/.test(value),
    "must be names of letters, digits, dots, underscores and hyphens with slashes between, such as gatehouse/production",
  ),
  read: (value) => value,
};

const storageDriver = choice("local", "s3");
export const storageVariables = {
  family: "STORAGE",
  default: {
    driver: {
      group: "Storage",
      name: "STORAGE_DRIVER",
      kind: storageDriver,
      fallback: "local",
      description:
        "Where the default disk keeps its files: in a folder, or in a bucket of S3 or of a server that speaks as it does",
    },
    path: {
      group: "Storage",
      name: "STORAGE_PATH",
      kind: text,
      fallback: "data/storage",
      description: "local: folder of the default disk; absolute in production",
    },
    bucket: {
      group: "Storage",
      name: "STORAGE_BUCKET",
      kind: bucket,
      optional: true,
      description: "s3: the bucket, which exists",
    },
    endpoint: {
      group: "Storage",
      name: "STORAGE_ENDPOINT",
      kind: url,
      optional: true,
      description:
        "s3: address of the server, or of the bucket itself where its host begins with the bucket's name and a dot; Amazon's without",
    },
    region: {
      group: "Storage",
      name: "STORAGE_REGION",
      kind: region,
      optional: true,
      description: "s3: region of the bucket; us-east-1 without",
    },
    accessKeyId: {
      group: "Storage",
      name: "STORAGE_ACCESS_KEY_ID",
      kind: text,
      optional: true,
      description: "s3: the access key",
      secret: true,
    },
    secretAccessKey: {
      group: "Storage",
      name: "STORAGE_SECRET_ACCESS_KEY",
      kind: text,
      optional: true,
      description: "s3: the secret of that access key",
      secret: true,
    },
    prefix: {
      group: "Storage",
      name: "STORAGE_PREFIX",
      kind: fileName,
      optional: true,
      description: "s3: what the names of all files begin with in the bucket, so that others may use it too",
    },
  },
  named: {
    driver: {
      group: "Storage",
      name: "STORAGE_<NAME>_DRIVER",
      kind: storageDriver,
      description: "Makes another disk, of that name",
    },
    path: {
      group: "Storage",
      name: "STORAGE_<NAME>_PATH",
      kind: text,
      otherwise: ({ resource }) => `data/${resource}`,
      description: "local: its folder: data/ and its name, in lower case",
    },
    bucket: {
      group: "Storage",
      name: "STORAGE_<NAME>_BUCKET",
      kind: bucket,
      optional: true,
      description: "s3: its bucket, as STORAGE_BUCKET",
    },
    endpoint: {
      group: "Storage",
      name: "STORAGE_<NAME>_ENDPOINT",
      kind: url,
      optional: true,
      description: "s3: its server, as STORAGE_ENDPOINT",
    },
    region: {
      group: "Storage",
      name: "STORAGE_<NAME>_REGION",
      kind: region,
      optional: true,
      description: "s3: its region, as STORAGE_REGION",
    },
    accessKeyId: {
      group: "Storage",
      name: "STORAGE_<NAME>_ACCESS_KEY_ID",
      kind: text,
      optional: true,
      description: "s3: its access key",
      secret: true,
    },
    secretAccessKey: {
      group: "Storage",
      name: "STORAGE_<NAME>_SECRET_ACCESS_KEY",
      kind: text,
      optional: true,
      description: "s3: the secret of its access key",
      secret: true,
    },
    prefix: {
      group: "Storage",
      name: "STORAGE_<NAME>_PREFIX",
      kind: fileName,
      optional: true,
      description: "s3: what the names of its files begin with, as STORAGE_PREFIX",
    },
  },
} as const satisfies Resources;
