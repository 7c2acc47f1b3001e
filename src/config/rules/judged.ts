import type { Config } from "../config.ts";
import type { Reader } from "../reader.ts";

/** What a process does alone, apart from the other roles. */
export type SplitRole = "api" | "worker" | "scheduler";

/** A configuration that was read, and what rules ask about the start that is to use it. */
export interface Judged {
  readonly config: Config;
  /** Knows which variables are set, where `config` can't tell a value from a default. */
  readonly reader: Reader;
  readonly role: SplitRole | undefined;
  readonly releaseFolder: string | undefined;
}

/** Nobody gets the mails of a developer's machine: they are kept there, to be opened in a browser. */
export const keepsMails = ({ app, mail }: Config): boolean => app.env === "local" && mail.driver === "log";

/** APP_ENV is staging or production: somebody depends on this process. */
export const isDeployed = ({ app }: Config): boolean => app.env === "staging" || app.env === "production";
