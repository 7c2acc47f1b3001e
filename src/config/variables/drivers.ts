import { choice, integer, positiveDuration, postgresUrl, text } from "./kinds.ts";
import { redisUrl } from "./redis.ts";
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

const cacheDriver = choice("memory", "database");
export const cacheVariables = {
  family: "CACHE",
  default: {
    driver: {
      group: "Cache",
      name: "CACHE_DRIVER",
      kind: cacheDriver,
      fallback: "memory",
      description: "Where the default cache keeps its entries: in this process, or in the database, shared by all",
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

const eventsDriver = choice("inproc");
export const eventsVariables = {
  family: "EVENTS",
  default: {
    driver: {
      group: "Events",
      name: "EVENTS_DRIVER",
      kind: eventsDriver,
      fallback: "inproc",
      description: "How the default event bus delivers: to subscribers in this process",
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

const storageDriver = choice("local");
export const storageVariables = {
  family: "STORAGE",
  default: {
    driver: {
      group: "Storage",
      name: "STORAGE_DRIVER",
      kind: storageDriver,
      fallback: "local",
      description: "Where the default disk keeps its files: in a folder",
    },
    path: {
      group: "Storage",
      name: "STORAGE_PATH",
      kind: text,
      fallback: "data/storage",
      description: "Folder of the default disk; absolute in production",
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
      description: "Its folder: data/ and its name, in lower case",
    },
  },
} as const satisfies Resources;
