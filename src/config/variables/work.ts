import { hour, minute, second } from "../../core/clock.ts";
import {
  ageRecipient,
  choice,
  duration,
  integer,
  mailbox,
  positiveDuration,
  shutdownTime,
  text,
} from "./kinds/kinds.ts";
import { redisUrl } from "./redis.ts";
import type { Section } from "./kinds/variable.ts";

const queueDriver = choice("database", "redis", "sync");
export const queueVariables = {
  resources: {
    family: "QUEUE",
    default: {
      driver: {
        group: "Queue",
        name: "QUEUE_DRIVER",
        kind: queueDriver,
        fallback: "database",
        description:
          "database keeps jobs with the data they belong to; redis keeps them there and wakes workers through Redis in place of polling; sync runs them in the request. Production must name it",
      },
      url: {
        group: "Queue",
        name: "QUEUE_URL",
        kind: redisUrl,
        optional: true,
        secret: true,
        description: "Redis of the default queue, where it is not the one that REDIS_URL names",
      },
    },
    named: {
      driver: {
        group: "Queue",
        name: "QUEUE_<NAME>_DRIVER",
        kind: queueDriver,
        description: "Makes another queue, of that name",
      },
      url: {
        group: "Queue",
        name: "QUEUE_<NAME>_URL",
        kind: redisUrl,
        optional: true,
        secret: true,
        description: "Its Redis, where it is not the one that REDIS_URL names",
      },
    },
  },
  concurrency: {
    group: "Queue",
    name: "QUEUE_CONCURRENCY",
    kind: integer(1, 256),
    fallback: "4",
    description: "Jobs that a worker runs at once, of all queues together",
  },
  maxAttempts: {
    group: "Queue",
    name: "QUEUE_MAX_ATTEMPTS",
    kind: integer(1, 100),
    fallback: "8",
    description: "Tries before a job is kept as a dead letter",
  },
  leaseMs: {
    group: "Queue",
    name: "QUEUE_LEASE",
    kind: duration(second, hour),
    fallback: "1m",
    description: "How long a killed worker's jobs wait before another worker takes them; a living worker renews it",
  },
  shutdownTimeoutMs: {
    group: "Queue",
    name: "QUEUE_SHUTDOWN_TIMEOUT",
    kind: shutdownTime,
    fallback: "30s",
    description: "How long jobs in hand may take after a stop was asked for",
  },
  retentionMs: {
    group: "Queue",
    name: "QUEUE_RETENTION",
    kind: positiveDuration,
    fallback: "720h",
    description: "How long a dead letter is kept before queue:prune deletes it",
  },
} as const satisfies Section;

export const backupVariables = {
  disk: {
    group: "Backup",
    name: "BACKUP_DISK",
    kind: text,
    optional: true,
    description:
      "Storage disk on which backup:daily puts a backup of the database, default or a named one. None is made without",
  },
  keep: {
    group: "Backup",
    name: "BACKUP_KEEP",
    kind: integer(1, 1_000),
    fallback: "7",
    description: "Daily backups that are kept, the newest",
  },
  changesIntervalMs: {
    group: "Backup",
    name: "BACKUP_CHANGES_INTERVAL",
    kind: duration(second, minute),
    optional: true,
    description:
      "How often what was changed goes to BACKUP_DISK as well, such as 10s, a minute at most. Without it, the daily backup is all",
  },
  changesKeepMs: {
    group: "Backup",
    name: "BACKUP_CHANGES_KEEP",
    kind: duration(hour),
    fallback: "72h",
    description: "How far back backup:restore --at can go",
  },
  ageRecipient: {
    group: "Backup",
    name: "BACKUP_AGE_RECIPIENT",
    kind: ageRecipient,
    optional: true,
    description:
      "Public key of age (age1…) for which everything that goes to a storage disk as a backup is encrypted. The secret key stays elsewhere",
  },
} as const satisfies Section;

export const mailVariables = {
  driver: {
    group: "Mail",
    name: "MAIL_DRIVER",
    kind: choice("log", "smtp"),
    fallback: "log",
    description: "log writes a line and sends nothing; production must name it",
  },
  from: {
    group: "Mail",
    name: "MAIL_FROM",
    kind: mailbox,
    fallback: "no-reply@localhost.test",
    description: "Sender address",
  },
  smtp: {
    host: {
      group: "Mail",
      name: "MAIL_SMTP_HOST",
      kind: text,
      fallback: "",
      description: "SMTP server",
    },
    port: {
      group: "Mail",
      name: "MAIL_SMTP_PORT",
      kind: integer(1, 65_535),
      fallback: "587",
      description: "SMTP port",
    },
    username: {
      group: "Mail",
      name: "MAIL_SMTP_USERNAME",
      kind: text,
      fallback: "",
      description: "SMTP user, when the server asks for one",
    },
    password: {
      group: "Mail",
      name: "MAIL_SMTP_PASSWORD",
      kind: text,
      fallback: "",
      description: "SMTP password",
      secret: true,
    },
    tls: {
      group: "Mail",
      name: "MAIL_SMTP_TLS",
      kind: choice("auto", "implicit", "off"),
      fallback: "auto",
      description:
        "auto requires STARTTLS, except of a relay on this host; implicit speaks TLS from the start, as auto does on port 465; off never does",
    },
  },
} as const satisfies Section;
