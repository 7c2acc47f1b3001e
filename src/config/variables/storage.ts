import { addressFamily } from "../../core/address/address.family.ts";
import { textThat, choice, text, url, type Kind } from "./kinds/kinds.ts";
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

const ofS3 = <const Name extends string, Value>(name: Name, kind: Kind<Value>, description: string) =>
  storage(name, kind, { optional: true, description: `s3: ${description}` });
const secretOfS3 = <const Name extends string>(name: Name, description: string) =>
  storage(name, text, { optional: true, secret: true, description: `s3: ${description}` });

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
    bucket: ofS3("STORAGE_BUCKET", bucket, "the bucket, which exists"),
    endpoint: ofS3(
      "STORAGE_ENDPOINT",
      url,
      "address of the server, or of the bucket itself where its host begins with the bucket's name and a dot; Amazon's without",
    ),
    region: ofS3("STORAGE_REGION", region, "region of the bucket; us-east-1 without"),
    accessKeyId: secretOfS3("STORAGE_ACCESS_KEY_ID", "the access key"),
    secretAccessKey: secretOfS3("STORAGE_SECRET_ACCESS_KEY", "the secret of that access key"),
    prefix: ofS3(
      "STORAGE_PREFIX",
      fileName,
      "what the names of all files begin with in the bucket, so that others may use it too",
    ),
  },
  named: {
    driver: storage("STORAGE_<NAME>_DRIVER", storageDriver, { description: "Makes another disk, of that name" }),
    path: storage("STORAGE_<NAME>_PATH", text, {
      otherwise: ({ resource }) => `data/${resource}`,
      description: "local: its folder: data/ and its name, in lower case",
    }),
    bucket: ofS3("STORAGE_<NAME>_BUCKET", bucket, "its bucket, as STORAGE_BUCKET"),
    endpoint: ofS3("STORAGE_<NAME>_ENDPOINT", url, "its server, as STORAGE_ENDPOINT"),
    region: ofS3("STORAGE_<NAME>_REGION", region, "its region, as STORAGE_REGION"),
    accessKeyId: secretOfS3("STORAGE_<NAME>_ACCESS_KEY_ID", "its access key"),
    secretAccessKey: secretOfS3("STORAGE_<NAME>_SECRET_ACCESS_KEY", "the secret of its access key"),
    prefix: ofS3("STORAGE_<NAME>_PREFIX", fileName, "what the names of its files begin with, as STORAGE_PREFIX"),
  },
} as const satisfies Resources;
