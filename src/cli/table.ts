import { registerName } from "../core/naming.ts";
import type { Command } from "./command.ts";

export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Imports the command when it is used, so that `health` doesn't load the whole app. */
  load(): Promise<Command>;
}

/** Throws on a name that breaks its convention or comes twice, so that such a mistake shows with the first command that is run. */
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

/** Every command of both binaries. */
export const commands: ReadonlyMap<string, CommandEntry> = registerCommands(
  Object.entries({
    run: {
      summary: "Run HTTP, worker and scheduler together (the default)",
      load: async () => (await import("./commands/run.ts")).run,
    },
    api: { summary: "Run HTTP only", load: async () => (await import("./commands/run.ts")).api },
    worker: { summary: "Run the queue worker only", load: async () => (await import("./commands/run.ts")).worker },
    scheduler: { summary: "Run the scheduler only", load: async () => (await import("./commands/run.ts")).scheduler },
    migrate: {
      summary: "Apply the pending migrations",
      load: async () => (await import("./commands/migrate.ts")).migrate,
    },
    "migrate:status": {
      summary: "List the migrations and which are applied",
      load: async () => (await import("./commands/migrate.ts")).status,
    },
    "migrate:rollback": {
      summary: "Undo the latest migrations",
      load: async () => (await import("./commands/migrate.ts")).rollback,
    },
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
    "route:list": { summary: "List the routes", load: async () => (await import("./commands/route.ts")).list },
    about: {
      summary: "Show version, environment, drivers and paths",
      load: async () => (await import("./commands/about.ts")).about,
    },
    "key:generate": {
      summary: "Print fresh secrets for the environment",
      load: async () => (await import("./commands/key.ts")).generate,
    },
    "env:check": {
      summary: "Check the environment as a start would",
      load: async () => (await import("./commands/env.ts")).check,
    },
    "queue:failed": {
      summary: "List the jobs that used up their attempts",
      load: async () => (await import("./commands/queue.ts")).failed,
    },
    "queue:retry": {
      summary: "Give failed jobs all their attempts again",
      load: async () => (await import("./commands/queue.ts")).retry,
    },
    "queue:prune": {
      summary: "Delete jobs that failed long ago",
      load: async () => (await import("./commands/queue.ts")).prune,
    },
    "webhook:list": {
      summary: "List the webhooks with their topics",
      load: async () => (await import("./commands/webhook.ts")).list,
    },
    "webhook:test": {
      summary: "Send a webhook a test message, and say what came back",
      load: async () => (await import("./commands/webhook.ts")).test,
    },
    "backup:create": {
      summary: "Write a backup of the database, while it is in use",
      load: async () => (await import("./commands/backup.ts")).create,
    },
    "backup:list": {
      summary: "List the backups on a storage disk",
      load: async () => (await import("./commands/backup.ts")).list,
    },
    "backup:restore": {
      summary: "Put a backup into the place of the database",
      load: async () => (await import("./commands/backup.ts")).restore,
    },
    "db:copy": {
      summary: "Copy all data between SQLite and PostgreSQL",
      load: async () => (await import("./commands/db.copy.ts")).copy,
    },
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
    "auth:create-user": {
      summary: "Create an account, the password from standard input",
      load: async () => (await import("./commands/auth.ts")).createUser,
    },
    "auth:set-password": {
      summary: "Set an account's password from standard input",
      load: async () => (await import("./commands/auth.ts")).setPassword,
    },
    "auth:revoke-sessions": {
      summary: "End every session of an account",
      load: async () => (await import("./commands/auth.ts")).revokeSessions,
    },
    "user:list": {
      summary: "List accounts, or find them by a name or an address",
      load: async () => (await import("./commands/user.list.ts")).list,
    },
    "user:show": {
      summary: "Show an account, and why its person can't sign in",
      load: async () => (await import("./commands/user.show.ts")).show,
    },
    "user:disable": {
      summary: "End an account's sessions and let nobody sign in to it",
      load: async () => (await import("./commands/user.acts.ts")).disable,
    },
    "user:enable": {
      summary: "Enable an account that was disabled",
      load: async () => (await import("./commands/user.acts.ts")).enable,
    },
    "user:unlock": {
      summary: "Forget the wrong passwords that lock an account",
      load: async () => (await import("./commands/user.acts.ts")).unlock,
    },
    "user:verify": {
      summary: "Count an account's email address as proven",
      load: async () => (await import("./commands/user.acts.ts")).verify,
    },
    "user:mfa-reset": {
      summary: "Remove an account's second factors, for a lost phone",
      load: async () => (await import("./commands/user.acts.ts")).resetFactors,
    },
    "user:send-reset": {
      summary: "Mail the link by which a person chooses a password",
      load: async () => (await import("./commands/user.acts.ts")).sendReset,
    },
    "user:delete": {
      summary: "Delete an account for good, after asking",
      load: async () => (await import("./commands/user.acts.ts")).remove,
    },
    "user:roles": {
      summary: "Give an account roles, take them, or list them",
      load: async () => (await import("./commands/user.ts")).roles,
    },
    "user:import": {
      summary: "Import accounts of other systems, with password hashes",
      load: async () => (await import("./commands/user.import.ts")).importUsers,
    },
    "user:export": {
      summary: "Write out all accounts, as an import reads them",
      load: async () => (await import("./commands/user.export.ts")).exportUsers,
    },
    "user:invite": {
      summary: "Mail somebody a link that makes an account",
      load: async () => (await import("./commands/user.invite.ts")).invite,
    },
    "user:invitations": {
      summary: "List the invitations that wait to be accepted",
      load: async () => (await import("./commands/user.invite.ts")).list,
    },
    "user:uninvite": {
      summary: "Withdraw an invitation: its links work no longer",
      load: async () => (await import("./commands/user.invite.ts")).uninvite,
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
    "audit:list": {
      summary: "List the events of accounts and services, newest first",
      load: async () => (await import("./commands/audit.ts")).list,
    },
  } satisfies Record<string, CommandEntry>),
);

export const defaultCommand = "run";
