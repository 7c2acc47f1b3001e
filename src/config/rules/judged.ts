import type { Config } from "../config.ts";
import type { AllowedOrigins } from "../../core/address/origins.ts";
import type { Reader } from "../reader.ts";

/** The single role of a process that runs apart from the others. */
export type SplitRole = "api" | "worker" | "scheduler";

/** A configuration, and the facts about its start that rules need. */
export interface Judged {
  readonly config: Config;
  /** Knows which variables are set, where `config` can't tell a value from a default. */
  readonly reader: Reader;
  readonly role: SplitRole | undefined;
  readonly releaseFolder: string | undefined;
}

/** Whether mails are kept on this machine and opened in a browser: a developer's machine sends none. */
export const keepsMails = ({ app, mail }: Config): boolean => app.env === "local" && mail.driver === "log";

/** The origins of other apps whose pages may call this one: on a developer's machine those of this machine as well, whatever their port. */
export const allowedOriginsOf = ({ app, http }: Pick<Config, "app" | "http">): AllowedOrigins => ({
  listed: http.allowedOrigins,
  loopback: app.env === "local",
});

/** Whether APP_ENV is staging or production: somebody depends on this process. */
export const isDeployed = ({ app }: Config): boolean => app.env === "staging" || app.env === "production";

/** Keeps the complaints whose conditions hold: `condition && "complaint"`. */
export const thatHold = (complaints: readonly (string | false)[]): readonly string[] =>
  complaints.filter((complaint) => complaint !== false);
