import type { Command, CommandEntry, CommandGroup } from "./command.ts";
import { registerName } from "../core/naming.ts";

/** A command is an export of a module that is loaded when one of its commands is used. */
const entry = <Name extends string>(
  summary: string,
  load: () => Promise<Readonly<Record<Name, Command>>>,
  name: Name,
): CommandEntry => ({ summary, load: async () => (await load())[name] });

const run = () => import("./commands/run.ts");
const migrate = () => import("./commands/database/migrate.ts");
const backup = () => import("./commands/backup/backup.ts");
const verify = () => import("./commands/backup/verify.ts");
const maintenance = () => import("./commands/maintenance.ts");
const password = () => import("./commands/account/password.ts");
const acts = () => import("./commands/account/acts.ts");
const invite = () => import("./commands/account/invite.ts");
const webhook = () => import("./commands/work/webhook.ts");
const hook = () => import("./commands/work/hook.ts");
const service = () => import("./commands/service.ts");
const client = () => import("./commands/client/client.ts");
const clientApply = () => import("./commands/client/apply.ts");
const organization = () => import("./commands/organization/organization.ts");
const organizationParts = () => import("./commands/organization/parts.ts");
const organizationShow = () => import("./commands/organization/show.ts");
const organizationTransfer = () => import("./commands/organization/transfer.ts");
const queue = () => import("./commands/work/queue.ts");
const restore = () => import("./commands/backup/restore.ts");
const copy = () => import("./commands/database/db.copy.ts");
const cleanup = () => import("./commands/account/cleanup.ts");
const people = () => import("./commands/account/list.ts");
const person = () => import("./commands/account/show.ts");
const imports = () => import("./commands/account/import.ts");
const exports = () => import("./commands/account/export.ts");
const mail = () => import("./commands/work/mail.ts");
const mailPreview = () => import("./commands/work/mail.preview.ts");
const audit = () => import("./commands/audit.ts");
const install = () => import("./commands/host/install.ts");
const check = () => import("./commands/host/check.ts");
const errand = () => import("./commands/host/errand.ts");
const hostStatus = () => import("./commands/host/status.ts");
const hostLogs = () => import("./commands/host/logs.ts");
const uninstall = () => import("./commands/host/uninstall.ts");
const env = () => import("./commands/settings/env.ts");
const key = () => import("./commands/settings/key.ts");
const reseal = () => import("./commands/settings/reseal.ts");
const words = () => import("./commands/settings/words.ts");
const completion = () => import("./commands/completion.ts");
const release = () => import("./commands/release.ts");

/** Every command of both binaries, in the order of the overview. */
export const groups: readonly CommandGroup[] = [
  {
    title: "Service",
    commands: {
      run: entry("Run HTTP, worker and scheduler together (the default)", run, "run"),
      api: entry("Run HTTP only", run, "api"),
      worker: entry("Run the queue worker only", run, "worker"),
      scheduler: entry("Run the scheduler only", run, "scheduler"),
    },
  },
  {
    title: "Database",
    commands: {
      migrate: entry("Apply the pending migrations", migrate, "migrate"),
      "migrate:status": entry("List the migrations and which are applied", migrate, "status"),
      "migrate:rollback": entry("Undo the latest migrations", migrate, "rollback"),
      "backup:create": entry("Write a backup of the database, while it is in use", backup, "create"),
      "backup:list": entry("List the backups on a storage disk", backup, "list"),
      "backup:restore": entry("Put a backup into the place of the database", restore, "restore"),
      "backup:verify": entry("Read a whole backup, and say what it holds", verify, "verify"),
      "backup:drill": entry("Restore the newest backup on trial, and say its age", verify, "drill"),
      "db:copy": entry("Copy all data between SQLite and PostgreSQL", copy, "copy"),
    },
  },
  {
    title: "A running service",
    commands: {
      health: entry("Ask a running app for its health or readiness", () => import("./commands/health.ts"), "health"),
      "maintenance:enable": entry("Put the running app into maintenance", maintenance, "enable"),
      "maintenance:disable": entry("Take the running app out of maintenance", maintenance, "disable"),
      "maintenance:status": entry("Ask the running app whether maintenance is on, and why", maintenance, "status"),
    },
  },
  {
    title: "Accounts",
    commands: {
      "auth:create-user": entry("Create an account, the password from standard input", password, "createUser"),
      "auth:set-password": entry("Set an account's password from standard input", password, "setPassword"),
      "auth:revoke-sessions": entry("End every session of an account", password, "revokeSessions"),
      "auth:cleanup": entry("Delete what nobody needs any more, as the schedule does", cleanup, "cleanup"),
      "user:list": entry("List accounts, or find them by a name or an address", people, "list"),
      "user:show": entry("Show an account, and why its person can't sign in", person, "show"),
      "user:disable": entry("End an account's sessions and let nobody sign in to it", acts, "disable"),
      "user:enable": entry("Enable an account that was disabled", acts, "enable"),
      "user:unlock": entry("Forget wrong passwords and codes that lock an account", acts, "unlock"),
      "user:verify": entry("Count an account's email address as proven", acts, "verify"),
      "user:mfa-reset": entry("Remove an account's second factors, for a lost phone", acts, "resetFactors"),
      "user:send-reset": entry("Mail the link by which a person chooses a password", acts, "sendReset"),
      "user:delete": entry("Delete an account for good, after asking", acts, "remove"),
      "user:roles": entry("Give an account roles, take them, or list them", acts, "roles"),
      "user:import": entry("Import accounts of other systems, with password hashes", imports, "importUsers"),
      "user:export": entry("Write out accounts for an import, or all kept of one", exports, "exportUsers"),
      "user:invite": entry("Mail somebody a link that makes an account", invite, "invite"),
      "user:invitations": entry("List the invitations that wait to be accepted", invite, "list"),
      "user:uninvite": entry("Withdraw an invitation: its links work no longer", invite, "uninvite"),
    },
  },
  {
    title: "Organizations",
    commands: {
      "org:list": entry("List organizations, or find them by name or slug", organization, "list"),
      "org:show": entry("Show one: members, invitations, domains and provider", organizationShow, "show"),
      "org:create": entry("Make an organization for somebody", organization, "create"),
      "org:add": entry("Put somebody into an organization", organization, "add"),
      "org:roles": entry("Give a member roles there, take them, or list them", organization, "roles"),
      "org:remove": entry("Take somebody out of an organization", organization, "remove"),
      "org:remove-domain": entry("Take a domain away from an organization", organizationParts, "removeDomain"),
      "org:remove-provider": entry("Take an organization's own provider away", organizationParts, "removeProvider"),
      "org:delete": entry("Delete an organization for good, after asking", organization, "erase"),
      "org:import": entry("Import organizations with their members", organizationTransfer, "importOrganizations"),
      "org:export": entry(
        "Write out all organizations, as an import reads them",
        organizationTransfer,
        "exportOrganizations",
      ),
    },
  },
  {
    title: "Services, webhooks and hooks",
    commands: {
      "webhook:list": entry("List the webhooks with their topics", webhook, "list"),
      "webhook:test": entry("Send a webhook a test message, and say what came back", webhook, "test"),
      "webhook:deliveries": entry("List what was sent to a webhook, and what came of it", webhook, "deliveries"),
      "webhook:resend": entry("Send the message of a delivery once more", webhook, "resend"),
      "hook:list": entry("List the hooks with their points", hook, "list"),
      "hook:test": entry("Ask a hook about somebody made up", hook, "test"),
      "service:create": entry("Let a backend ask about users, and print its secret", service, "create"),
      "service:list": entry("List the services and when they were last used", service, "list"),
      "service:revoke": entry("Make a service's secret worthless", service, "revoke"),
    },
  },
  {
    title: "Programs that sign people in here",
    commands: {
      "client:create": entry("Let a program sign people in, and print its secret", client, "create"),
      "client:list": entry("List the programs and when they were last used", client, "list"),
      "client:show": entry("Show what a program may do", client, "show"),
      "client:update": entry("Change what a program may do", client, "update"),
      "client:secret": entry("Give a program a new secret, and print it", client, "secret"),
      "client:revoke": entry("Remove a program, and end what it holds for people", client, "revoke"),
      "client:apply": entry("Make the programs be what a file says", clientApply, "apply"),
    },
  },
  {
    title: "Jobs, mail and records",
    commands: {
      "queue:failed": entry("List the jobs that used up their attempts", queue, "failed"),
      "queue:retry": entry("Give failed jobs all their attempts again", queue, "retry"),
      "queue:prune": entry("Delete jobs that failed long ago", queue, "prune"),
      "mail:test": entry("Send a mail now, and say what the relay answered", mail, "test"),
      "mail:preview": entry("Show a mail as people get it, or list them all", mailPreview, "preview"),
      "audit:list": entry("List the events of accounts and services, newest first", audit, "list"),
    },
  },
  {
    title: "Host",
    commands: {
      "host:install": entry("Make a host of this machine: units, settings, release", install, "install"),
      "host:check": entry("Say what is wrong with this host and what mends it", check, "check"),
      status: entry("Show how this host is, on one screen", hostStatus, "status"),
      logs: entry("Show what the services have logged", hostLogs, "logs"),
      "host:uninstall": entry("Stop the services and remove them; data and secrets stay", uninstall, "uninstall"),
      "host:run": entry("Run a command as the services run, on files of yours", errand, "errand"),
      "release:activate": entry("Put this binary into service on a host with systemd", release, "activate"),
      "release:rollback": entry("Go back to the release before, migrations aside", release, "rollback"),
      "release:restart": entry("Restart the current release, for new settings or secrets", release, "restart"),
      "release:list": entry("List the releases on this host", release, "list"),
    },
  },
  {
    title: "Settings and help",
    commands: {
      about: entry("Show version, environment, drivers and paths", () => import("./commands/about.ts"), "about"),
      "env:check": entry("Check the environment as a start would", env, "check"),
      "words:list": entry("Print the words of a language, to be made your own", words, "list"),
      "key:generate": entry("Print fresh secrets for the environment", key, "generate"),
      "secrets:reseal": entry("Seal anew what an earlier APP_KEY has sealed", reseal, "reseal"),
      "route:list": entry("List the routes", () => import("./commands/settings/route.ts"), "list"),
      completion: entry("Print the completion of a shell: bash, zsh or fish", completion, "completion"),
      version: entry("Show the version", () => import("./commands/version.ts"), "version"),
      help: entry("Show the commands, those of a group, or one's options", () => import("./usage/help.ts"), "help"),
    },
  },
];

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

export const commands: ReadonlyMap<string, CommandEntry> = registerCommands(
  groups.flatMap((group) => Object.entries(group.commands)),
);

export const defaultCommand = "run";
