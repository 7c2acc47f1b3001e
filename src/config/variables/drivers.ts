import { choice, integer, positiveDuration, postgresUrl, text } from "./kinds/kinds.ts";
import { redisUrl } from "./redis.ts";
import type { Resources, Section } from "./kinds/variable.ts";

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
