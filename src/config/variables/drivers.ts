import { addressBits } from "./kinds/address.bits.ts";
import { choice, flag, integer, positiveDuration, postgresUrl, text } from "./kinds/kinds.ts";
import { ownRedis } from "./redis.ts";
import { variablesOf, type Resources, type Section } from "./kinds/variable.ts";

const database = variablesOf("Database");
const cache = variablesOf("Cache");
const events = variablesOf("Events");
const audit = variablesOf("Audit");

export const databaseVariables = {
  driver: database("DB_DRIVER", choice("sqlite", "postgres"), {
    fallback: "sqlite",
    description: "Database driver; production must name it",
  }),
  path: database("DB_DATABASE", text, {
    fallback: "data/app.db",
    description: "Path of the SQLite file; absolute in production",
  }),
  url: database("DB_URL", postgresUrl, {
    optional: true,
    secret: true,
    description:
      "PostgreSQL: postgres://user:password@host:5432/name?sslmode=verify-full, with &sslrootcert=FILE for a private authority",
  }),
  pool: database("DB_POOL", integer(1, 64), {
    fallback: "8",
    description: "How many connections to PostgreSQL a process has at most",
  }),
} as const satisfies Section;

const cacheDriver = choice("memory", "database", "redis");
export const cacheVariables = {
  family: "CACHE",
  default: {
    driver: cache("CACHE_DRIVER", cacheDriver, {
      fallback: "memory",
      description:
        "Where the default cache keeps its entries: in the memory of this process, or shared by all in the database or in redis",
    }),
    url: ownRedis(cache, "CACHE_URL", "Redis of the default cache"),
  },
  named: {
    driver: cache("CACHE_<NAME>_DRIVER", cacheDriver, { description: "Makes another cache, of that name" }),
    url: ownRedis(cache, "CACHE_<NAME>_URL", "Its Redis"),
  },
} as const satisfies Resources;

const eventsDriver = choice("inproc", "redis");
export const eventsVariables = {
  family: "EVENTS",
  default: {
    driver: events("EVENTS_DRIVER", eventsDriver, {
      fallback: "inproc",
      description: "How the default event bus delivers: to subscribers in this process, or in all processes by redis",
    }),
    url: ownRedis(events, "EVENTS_URL", "Redis of the default event bus"),
  },
  named: {
    driver: events("EVENTS_<NAME>_DRIVER", eventsDriver, { description: "Makes another event bus, of that name" }),
    url: ownRedis(events, "EVENTS_<NAME>_URL", "Its Redis"),
  },
} as const satisfies Resources;

const keptAs = { otherwise: ({ text }: { readonly text: (name: string) => string }) => text("AUDIT_RETENTION") };

export const auditVariables = {
  addressBits: audit("AUDIT_ADDRESS_BITS", addressBits, {
    fallback: "32,128",
    description:
      "Leading bits of IPv4 and IPv6 addresses that the audit log and ended sessions keep, such as 24,48; the rest becomes zeros",
  }),
  retentionMs: audit("AUDIT_RETENTION", positiveDuration, {
    fallback: "8760h",
    description: "How long the audit log keeps what happened",
  }),
  signInRetentionMs: audit("AUDIT_RETENTION_SIGN_IN", positiveDuration, {
    ...keptAs,
    description: "The same for sign-ins, failed ones, sessions and what limits refused. AUDIT_RETENTION",
  }),
  accountRetentionMs: audit("AUDIT_RETENTION_ACCOUNT", positiveDuration, {
    ...keptAs,
    description: "The same for what people changed of their accounts and organizations. AUDIT_RETENTION",
  }),
  staffRetentionMs: audit("AUDIT_RETENTION_STAFF", positiveDuration, {
    ...keptAs,
    description: "The same for what staff and operators did. AUDIT_RETENTION",
  }),
  systemRetentionMs: audit("AUDIT_RETENTION_SYSTEM", positiveDuration, {
    ...keptAs,
    description: "The same for services, programs, maintenance and jobs. AUDIT_RETENTION",
  }),
  wholeMonths: audit("AUDIT_WHOLE_MONTHS", flag, {
    fallback: "false",
    description:
      "Keeps what is kept longest until its calendar month (UTC) is over for all of it. On PostgreSQL the month then goes at once, for next to nothing",
  }),
} as const satisfies Section;
