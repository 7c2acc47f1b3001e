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
import { ownRedis } from "./redis.ts";
import { variablesOf, type Section } from "./kinds/variable.ts";

const queue = variablesOf("Queue");
const backup = variablesOf("Backup");
const mail = variablesOf("Mail");

const queueDriver = choice("database", "redis", "sync");
export const queueVariables = {
  resources: {
    family: "QUEUE",
    default: {
      driver: queue("QUEUE_DRIVER", queueDriver, {
        fallback: "database",
        description:
          "database keeps jobs with the data they belong to; redis keeps them there and wakes workers through Redis in place of polling; sync runs them in the request. Production must name it",
      }),
      url: ownRedis(queue, "QUEUE_URL", "Redis of the default queue"),
    },
    named: {
      driver: queue("QUEUE_<NAME>_DRIVER", queueDriver, { description: "Makes another queue, of that name" }),
      url: ownRedis(queue, "QUEUE_<NAME>_URL", "Its Redis"),
    },
  },
  concurrency: queue("QUEUE_CONCURRENCY", integer(1, 256), {
    fallback: "4",
    description: "Jobs that a worker runs at once, of all queues together",
  }),
  maxAttempts: queue("QUEUE_MAX_ATTEMPTS", integer(1, 100), {
    fallback: "8",
    description: "Tries before a job is kept as a dead letter",
  }),
  leaseMs: queue("QUEUE_LEASE", duration(second, hour), {
    fallback: "1m",
    description: "How long a killed worker's jobs wait before another worker takes them; a living worker renews it",
  }),
  shutdownTimeoutMs: queue("QUEUE_SHUTDOWN_TIMEOUT", shutdownTime, {
    fallback: "30s",
    description: "How long jobs in hand may take after a stop was asked for",
  }),
  retentionMs: queue("QUEUE_RETENTION", positiveDuration, {
    fallback: "720h",
    description: "How long a dead letter is kept before queue:prune deletes it",
  }),
} as const satisfies Section;

export const backupVariables = {
  disk: backup("BACKUP_DISK", text, {
    optional: true,
    description:
      "Storage disk on which backup:daily puts a backup of the database, default or a named one. None is made without",
  }),
  keep: backup("BACKUP_KEEP", integer(1, 1_000), {
    fallback: "7",
    description: "Daily backups that are kept, the newest",
  }),
  changesIntervalMs: backup("BACKUP_CHANGES_INTERVAL", duration(second, minute), {
    optional: true,
    description:
      "How often what was changed goes to BACKUP_DISK as well, such as 10s, a minute at most. Without it, the daily backup is all",
  }),
  changesKeepMs: backup("BACKUP_CHANGES_KEEP", duration(hour), {
    fallback: "72h",
    description: "How far back backup:restore --at can go",
  }),
  ageRecipient: backup("BACKUP_AGE_RECIPIENT", ageRecipient, {
    optional: true,
    description:
      "Public key of age (age1…) for which everything that goes to a storage disk as a backup is encrypted. The secret key stays elsewhere",
  }),
} as const satisfies Section;

export const mailVariables = {
  driver: mail("MAIL_DRIVER", choice("log", "smtp"), {
    fallback: "log",
    description: "log writes a line and sends nothing; production must name it",
  }),
  from: mail("MAIL_FROM", mailbox, {
    fallback: "no-reply@localhost.test",
    description: "Sender address",
  }),
  smtp: {
    host: mail("MAIL_SMTP_HOST", text, {
      fallback: "",
      description: "SMTP server",
    }),
    port: mail("MAIL_SMTP_PORT", integer(1, 65_535), {
      fallback: "587",
      description: "SMTP port",
    }),
    username: mail("MAIL_SMTP_USERNAME", text, {
      fallback: "",
      description: "SMTP user, when the server asks for one",
    }),
    password: mail("MAIL_SMTP_PASSWORD", text, {
      fallback: "",
      description: "SMTP password",
      secret: true,
    }),
    tls: mail("MAIL_SMTP_TLS", choice("auto", "implicit", "off"), {
      fallback: "auto",
      description:
        "auto requires STARTTLS, except of a relay on this host; implicit speaks TLS from the start, as auto does on port 465; off never does",
    }),
  },
} as const satisfies Section;
