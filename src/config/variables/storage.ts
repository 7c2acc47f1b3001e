import { addressFamily } from "../../core/address/address.family.ts";
import { textThat, choice, text, url } from "./kinds/kinds.ts";
import { variablesOf, type Resources } from "./kinds/variable.ts";

const storage = variablesOf("Storage");

/** The name of a bucket by Amazon's rules; other servers accept the same names. */
const bucket = textThat(
  (value) => /^[a-z\d](?:[a-z\d]|[.-](?![.-])){1,61}[a-z\d]$/.test(value) && addressFamily(value) === 0,
  "must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens",
);

const region = textThat((value) => /^[a-z\d-]{1,40}$/.test(value), "must be a region such as eu-central-1 or auto");

/** A prefix of file names, without a slash at its end. */
const fileName = textThat(
  (value) => /^[A-Za-z\d][\w.-]{0,99}(?:\/[A-Za-z\d][\w.-]{0,99}){0,7}$/.test(value),
  "must be names of letters, digits, dots, underscores and hyphens with slashes between, such as gatehouse/production",
);

const storageDriver = choice("local", "s3");
export const storageVariables = {
  family: "STORAGE",
  default: {
    driver: storage("STORAGE_DRIVER", storageDriver, {
      fallback: "local",
      description:
        "Where the default disk keeps its files: in a folder, or in a bucket of S3 or of a server that speaks as it does",
    }),
    path: storage("STORAGE_PATH", text, {
      fallback: "data/storage",
      description: "local: folder of the default disk; absolute in production",
    }),
    bucket: storage("STORAGE_BUCKET", bucket, {
      optional: true,
      description: "s3: the bucket, which exists",
    }),
    endpoint: storage("STORAGE_ENDPOINT", url, {
      optional: true,
      description:
        "s3: address of the server, or of the bucket itself where its host begins with the bucket's name and a dot; Amazon's without",
    }),
    region: storage("STORAGE_REGION", region, {
      optional: true,
      description: "s3: region of the bucket; us-east-1 without",
    }),
    accessKeyId: storage("STORAGE_ACCESS_KEY_ID", text, {
      optional: true,
      description: "s3: the access key",
      secret: true,
    }),
    secretAccessKey: storage("STORAGE_SECRET_ACCESS_KEY", text, {
      optional: true,
      description: "s3: the secret of that access key",
      secret: true,
    }),
    prefix: storage("STORAGE_PREFIX", fileName, {
      optional: true,
      description: "s3: what the names of all files begin with in the bucket, so that others may use it too",
    }),
  },
  named: {
    driver: storage("STORAGE_<NAME>_DRIVER", storageDriver, { description: "Makes another disk, of that name" }),
    path: storage("STORAGE_<NAME>_PATH", text, {
      otherwise: ({ resource }) => `data/${resource}`,
      description: "local: its folder: data/ and its name, in lower case",
    }),
    bucket: storage("STORAGE_<NAME>_BUCKET", bucket, {
      optional: true,
      description: "s3: its bucket, as STORAGE_BUCKET",
    }),
    endpoint: storage("STORAGE_<NAME>_ENDPOINT", url, {
      optional: true,
      description: "s3: its server, as STORAGE_ENDPOINT",
    }),
    region: storage("STORAGE_<NAME>_REGION", region, {
      optional: true,
      description: "s3: its region, as STORAGE_REGION",
    }),
    accessKeyId: storage("STORAGE_<NAME>_ACCESS_KEY_ID", text, {
      optional: true,
      description: "s3: its access key",
      secret: true,
    }),
    secretAccessKey: storage("STORAGE_<NAME>_SECRET_ACCESS_KEY", text, {
      optional: true,
      description: "s3: the secret of its access key",
      secret: true,
    }),
    prefix: storage("STORAGE_<NAME>_PREFIX", fileName, {
      optional: true,
      description: "s3: what the names of its files begin with, as STORAGE_PREFIX",
    }),
  },
} as const satisfies Resources;
