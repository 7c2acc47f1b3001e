import { hour, second } from "../core/clock.ts";
import { choice, duration, positiveDuration, text, type Variable } from "./variable.ts";

/** What is done behind the answers: jobs, backups, mail. */
export const workVariables = [
  {
    group: "Queue",
    name: "QUEUE_DRIVER",
    kind: choice("database", "sync"),
    fallback: "database",
    description:
      "database keeps jobs with the data they belong to; sync runs them in the request. Production must name it",
  },
  {
    group: "Queue",
    name: "QUEUE_<NAME>_DRIVER",
    kind: choice("database", "sync"),
    fallback: undefined,
    description: "Makes another queue, of that name",
  },
  {
    group: "Queue",
    name: "QUEUE_CONCURRENCY",
    kind: { type: "integer", min: 1, max: 256 },
    fallback: "4",
    description: "Jobs that a worker runs at once, of all queues together",
  },
  {
    group: "Queue",
    name: "QUEUE_MAX_ATTEMPTS",
    kind: { type: "integer", min: 1, max: 100 },
    fallback: "8",
    description: "Tries before a job is kept as a dead letter",
  },
  {
    group: "Queue",
    name: "QUEUE_LEASE",
    kind: { type: "duration", minMs: second, maxMs: hour },
    fallback: "1m",
    description: "How long a killed worker's jobs wait before another worker takes them; a living worker renews it",
  },
  {
    group: "Queue",
    name: "QUEUE_SHUTDOWN_TIMEOUT",
    kind: duration,
    fallback: "30s",
    description: "How long jobs in hand may take after a stop was asked for",
  },
  {
    group: "Queue",
    name: "QUEUE_RETENTION",
    kind: positiveDuration,
    fallback: "720h",
    description: "How long a dead letter is kept before queue:prune deletes it",
  },
  {
    group: "Backup",
    name: "BACKUP_DISK",
    kind: text,
    fallback: undefined,
    description:
      "Storage disk on which backup:daily puts a backup of the database, default or a named one. None is made without",
  },
  {
    group: "Backup",
    name: "BACKUP_KEEP",
    kind: { type: "integer", min: 1, max: 1_000 },
    fallback: "7",
    description: "Daily backups that are kept, the newest",
  },
  {
    group: "Mail",
    name: "MAIL_DRIVER",
    kind: choice("log", "smtp"),
    fallback: "log",
    description: "log writes a line and sends nothing; production must name it",
  },
  {
    group: "Mail",
    name: "MAIL_FROM",
    kind: { type: "mailbox" },
    fallback: "no-reply@localhost.test",
    description: "Sender address",
  },
  { group: "Mail", name: "MAIL_SMTP_HOST", kind: text, fallback: "", description: "SMTP server" },
  {
    group: "Mail",
    name: "MAIL_SMTP_PORT",
    kind: { type: "integer", min: 1, max: 65_535 },
    fallback: "587",
    description: "SMTP port",
  },
  {
    group: "Mail",
    name: "MAIL_SMTP_USERNAME",
    kind: text,
    fallback: "",
    description: "SMTP user, when the server asks for one",
  },
  { group: "Mail", name: "MAIL_SMTP_PASSWORD", kind: text, fallback: "", description: "SMTP password", secret: true },
  {
    group: "Mail",
    name: "MAIL_SMTP_TLS",
    kind: choice("auto", "implicit", "off"),
    fallback: "auto",
    description:
      "auto requires STARTTLS, except of a relay on this host; implicit speaks TLS from the start, as auto does on port 465; off never does",
  },
] as const satisfies readonly Variable[];
