import type { CommandEntry } from "../../command.ts";

/** Commands that make a host of this machine, run as root. */
export const hostCommands: Readonly<Record<string, CommandEntry>> = {
  "host:install": {
    summary: "Make a host of this machine: units, settings, release",
    load: async () => (await import("./install.ts")).install,
  },
  "host:check": {
    summary: "Say what is wrong with this host and what mends it",
    load: async () => (await import("./check.ts")).check,
  },
  "host:uninstall": {
    summary: "Stop the services and remove them; data and secrets stay",
    load: async () => (await import("./uninstall.ts")).uninstall,
  },
};
