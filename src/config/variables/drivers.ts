import { choice, integer, positiveDuration, postgresUrl, text, url } from "./kinds.ts";
import { redisUrl } from "./redis.ts";
import { bucket, fileName, region } from "./storage.kinds.ts";
import type { Resources, Section } from "./variable.ts";

export const databaseVariables = {
  driver: {
    group: "Database",
    name: "DB_DRIVER",
    kind: choice("sqlite", "postgres"),
    fallback: "sqlite",
    description: "Database driver; production must name it",
  },
  path: {
    group: "Database",
    name: "DB_DATABASE",
    kind: text,
    fallback: "data/app.db",
    description: "Path of the SQLite file; absolute in production",
  },
  url: {
    group: "Database",
    name: "DB_URL",
    kind: postgresUrl,
    optional: true,
    secret: true,
    description:
      "PostgreSQL: postgres://user:password@host:5432/name?sslmode=verify-full, with &sslrootcert=FILE for a private authority",
  },
  pool: {
    group: "Database",
    name: "DB_POOL",
    kind: integer(1, 64),
    fallback: "8",
    description: "How many connections to PostgreSQL a process has at most",
  },
} as const satisfies Section;

const cacheDriver = choice("memory", "database", "redis");
export const cacheVariables = {
  family: "CACHE",
  default: {
    driver: {
      group: "Cache",
      name: "CACHE_DRIVER",
      kind: cacheDriver,
      fallback: "memory",
      description:
        "Where the default cache keeps its entries: in the memory of this process, or shared by all in the database or in redis",
    },
    url: {
      group: "Cache",
      name: "CACHE_URL",
      kind: redisUrl,
      optional: true,
      secret: true,
      description: "Redis of the default cache, where it is not the one that REDIS_URL names",
    },
  },
  named: {
    driver: {
      group: "Cache",
      name: "CACHE_<NAME>_DRIVER",
      kind: cacheDriver,
      description: "Makes another cache, of that name",
    },
    url: {
      group: "Cache",
      name: "CACHE_<NAME>_URL",
      kind: redisUrl,
      optional: true,
      secret: true,
      description: "Its Redis, where it is not the one that REDIS_URL names",
    },
  },
} as const satisfies Resources;

const eventsDriver = choice("inproc", "redis");
export const eventsVariables = {
  family: "EVENTS",
  default: {
    driver: {
      group: "Events",
      name: "EVENTS_DRIVER",
      kind: eventsDriver,
      fallback: "inproc",
      description: "How the default event bus delivers: to subscribers in this process, or in all processes by redis",
    },
    url: {
      group: "Events",
      name: "EVENTS_URL",
      kind: redisUrl,
      optional: true,
      secret: true,
      description: "Redis of the default event bus, where it is not the one that REDIS_URL names",
    },
  },
  named: {
    driver: {
      group: "Events",
      name: "EVENTS_<NAME>_DRIVER",
      kind: eventsDriver,
      description: "Makes another event bus, of that name",
    },
    url: {
      group: "Events",
      name: "EVENTS_<NAME>_URL",
      kind: redisUrl,
      optional: true,
      secret: true,
      description: "Its Redis, where it is not the one that REDIS_URL names",
    },
  },
} as const satisfies Resources;

export const auditVariables = {
  retentionMs: {
    group: "Audit",
    name: "AUDIT_RETENTION",
    kind: positiveDuration,
    fallback: "8760h",
    description: "How long the audit log keeps what happened",
  },
} as const satisfies Section;

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
