import type { CommandGroup } from "../../command.ts";

/** Commands that make, find and change accounts. */
export const accountCommands: CommandGroup["commands"] = {
  "auth:create-user": {
    summary: "Create an account, the password from standard input",
    load: async () => (await import("./password.ts")).createUser,
  },
  "auth:set-password": {
    summary: "Set an account's password from standard input",
    load: async () => (await import("./password.ts")).setPassword,
  },
  "auth:revoke-sessions": {
    summary: "End every session of an account",
    load: async () => (await import("./password.ts")).revokeSessions,
  },
  "auth:cleanup": {
    summary: "Delete what nobody needs any more, as the schedule does",
    load: async () => (await import("./cleanup.ts")).cleanup,
  },
  "user:list": {
    summary: "List accounts, or find them by a name or an address",
    load: async () => (await import("./list.ts")).list,
  },
  "user:show": {
    summary: "Show an account, and why its person can't sign in",
    load: async () => (await import("./show.ts")).show,
  },
  "user:disable": {
    summary: "End an account's sessions and let nobody sign in to it",
    load: async () => (await import("./acts.ts")).disable,
  },
  "user:enable": {
    summary: "Enable an account that was disabled",
    load: async () => (await import("./acts.ts")).enable,
  },
  "user:unlock": {
    summary: "Forget wrong passwords and codes that lock an account",
    load: async () => (await import("./acts.ts")).unlock,
  },
  "user:verify": {
    summary: "Count an account's email address as proven",
    load: async () => (await import("./acts.ts")).verify,
  },
  "user:mfa-reset": {
    summary: "Remove an account's second factors, for a lost phone",
    load: async () => (await import("./acts.ts")).resetFactors,
  },
  "user:send-reset": {
    summary: "Mail the link by which a person chooses a password",
    load: async () => (await import("./acts.ts")).sendReset,
  },
  "user:delete": {
    summary: "Delete an account for good, after asking",
    load: async () => (await import("./acts.ts")).remove,
  },
  "user:roles": {
    summary: "Give an account roles, take them, or list them",
    load: async () => (await import("./roles.ts")).roles,
  },
  "user:import": {
    summary: "Import accounts of other systems, with password hashes",
    load: async () => (await import("./import.ts")).importUsers,
  },
  "user:export": {
    summary: "Write out all accounts, as an import reads them",
    load: async () => (await import("./export.ts")).exportUsers,
  },
  "user:invite": {
    summary: "Mail somebody a link that makes an account",
    load: async () => (await import("./invite.ts")).invite,
  },
  "user:invitations": {
    summary: "List the invitations that wait to be accepted",
    load: async () => (await import("./invite.ts")).list,
  },
  "user:uninvite": {
    summary: "Withdraw an invitation: its links work no longer",
    load: async () => (await import("./invite.ts")).uninvite,
  },
};
