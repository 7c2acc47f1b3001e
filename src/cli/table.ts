import { accountCommands } from "./commands/account/index.ts";
import { hostCommands } from "./commands/host/index.ts";
import type { CommandEntry, CommandGroup } from "./command.ts";
import { registerName } from "../core/naming.ts";

/** Throws if a name breaks its convention or is listed twice, so that such a mistake shows with the first command that is run. */
export function registerCommands(
  entries: Iterable<readonly [string, CommandEntry]>,
): ReadonlyMap<string, CommandEntry> {
  const commands = new Map<string, CommandEntry>();
  for (const [name, entry] of entries) {
    registerName("command", name, commands);
    commands.set(name, entry);
  }
  return commands;
}

/** Every command of both binaries, in the order of the overview. */
export const groups: readonly CommandGroup[] = [
  {
    title: "Service",
    commands: {
      run: {
        summary: "Run HTTP, worker and scheduler together (the default)",
        load: async () => (await import("./commands/run.ts")).run,
      },
      api: { summary: "Run HTTP only", load: async () => (await import("./commands/run.ts")).api },
      worker: { summary: "Run the queue worker only", load: async () => (await import("./commands/run.ts")).worker },
      scheduler: { summary: "Run the scheduler only", load: async () => (await import("./commands/run.ts")).scheduler },
    },
  },
  {
    title: "Database",
    commands: {
      migrate: {
        summary: "Apply the pending migrations",
        load: async () => (await import("./commands/database/migrate.ts")).migrate,
      },
      "migrate:status": {
        summary: "List the migrations and which are applied",
        load: async () => (await import("./commands/database/migrate.ts")).status,
      },
      "migrate:rollback": {
        summary: "Undo the latest migrations",
        load: async () => (await import("./commands/database/migrate.ts")).rollback,
      },
      "backup:create": {
        summary: "Write a backup of the database, while it is in use",
        load: async () => (await import("./commands/backup/backup.ts")).create,
      },
      "backup:list": {
        summary: "List the backups on a storage disk",
        load: async () => (await import("./commands/backup/backup.ts")).list,
      },
      "backup:restore": {
        summary: "Put a backup into the place of the database",
        load: async () => (await import("./commands/backup/restore.ts")).restore,
      },
      "backup:verify": {
        summary: "Read a whole backup, and say what it holds",
        load: async () => (await import("./commands/backup/verify.ts")).verify,
      },
      "backup:drill": {
        summary: "Restore the newest backup on trial, and say its age",
        load: async () => (await import("./commands/backup/verify.ts")).drill,
      },
      "db:copy": {
        summary: "Copy all data between SQLite and PostgreSQL",
        load: async () => (await import("./commands/database/db.copy.ts")).copy,
      },
    },
  },
  {
    title: "A running service",
    commands: {
      health: {
        summary: "Ask a running app for its health or readiness",
        load: async () => (await import("./commands/health.ts")).health,
      },
      "maintenance:enable": {
        summary: "Put the running app into maintenance",
        load: async () => (await import("./commands/maintenance.ts")).enable,
      },
      "maintenance:disable": {
        summary: "Take the running app out of maintenance",
        load: async () => (await import("./commands/maintenance.ts")).disable,
      },
      "maintenance:status": {
        summary: "Ask the running app whether maintenance is on, and why",
        load: async () => (await import("./commands/maintenance.ts")).status,
      },
    },
  },
  {
    title: "Accounts",
    commands: accountCommands,
  },
  {
    title: "Services and webhooks",
    commands: {
      "webhook:list": {
        summary: "List the webhooks with their topics",
        load: async () => (await import("./commands/work/webhook.ts")).list,
      },
      "webhook:test": {
        summary: "Send a webhook a test message, and say what came back",
        load: async () => (await import("./commands/work/webhook.ts")).test,
      },
      "service:create": {
        summary: "Let a backend ask about users, and print its secret",
        load: async () => (await import("./commands/service.ts")).create,
      },
      "service:list": {
        summary: "List the services and when they were last used",
        load: async () => (await import("./commands/service.ts")).list,
      },
      "service:revoke": {
        summary: "Make a service's secret worthless",
        load: async () => (await import("./commands/service.ts")).revoke,
      },
    },
  },
  {
    title: "Jobs, mail and records",
    commands: {
      "queue:failed": {
        summary: "List the jobs that used up their attempts",
        load: async () => (await import("./commands/work/queue.ts")).failed,
      },
      "queue:retry": {
        summary: "Give failed jobs all their attempts again",
        load: async () => (await import("./commands/work/queue.ts")).retry,
      },
      "queue:prune": {
        summary: "Delete jobs that failed long ago",
        load: async () => (await import("./commands/work/queue.ts")).prune,
      },
      "mail:test": {
        summary: "Send a mail now, and say what the relay answered",
        load: async () => (await import("./commands/work/mail.ts")).test,
      },
      "audit:list": {
        summary: "List the events of accounts and services, newest first",
        load: async () => (await import("./commands/audit.ts")).list,
      },
    },
  },
  {
    title: "Host",
    commands: {
      ...hostCommands,
      "release:activate": {
        summary: "Put this binary into service on a host with systemd",
        load: async () => (await import("./commands/release.ts")).activate,
      },
      "release:rollback": {
        summary: "Go back to the release before, migrations aside",
        load: async () => (await import("./commands/release.ts")).rollback,
      },
      "release:restart": {
        summary: "Restart the current release, for new settings or secrets",
        load: async () => (await import("./commands/release.ts")).restart,
      },
      "release:list": {
        summary: "List the releases on this host",
        load: async () => (await import("./commands/release.ts")).list,
      },
    },
  },
  {
    title: "Settings and help",
    commands: {
      about: {
        summary: "Show version, environment, drivers and paths",
        load: async () => (await import("./commands/about.ts")).about,
      },
      "env:check": {
        summary: "Check the environment as a start would",
        load: async () => (await import("./commands/settings/env.ts")).check,
      },
      "key:generate": {
        summary: "Print fresh secrets for the environment",
        load: async () => (await import("./commands/settings/key.ts")).generate,
      },
      "route:list": {
        summary: "List the routes",
        load: async () => (await import("./commands/settings/route.ts")).list,
      },
      completion: {
        summary: "Print the completion of a shell: bash, zsh or fish",
        load: async () => (await import("./commands/completion.ts")).completion,
      },
      version: { summary: "Show the version", load: async () => (await import("./commands/version.ts")).version },
      help: {
        summary: "Show the commands, those of a group, or one's options",
        load: async () => (await import("./usage/help.ts")).help,
      },
    },
  },
];

export const commands: ReadonlyMap<string, CommandEntry> = registerCommands(
  groups.flatMap((group) => Object.entries(group.commands)),
);

export const defaultCommand = "run";
