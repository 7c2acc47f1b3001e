import { isIP } from "node:net";
import { readEnvironmentFile } from "../../core/text/environment.file.ts";
import { textOf } from "./texts.ts";

export const settingsPath = "/etc/gatehouse/gatehouse.env";

/**
 * How the services of a host share the work. `shared`: two instances on one port. `ports`: two instances with a port each, for a proxy that
 * asks each for its readiness. `single`: one process that does everything.
 */
export const topologies = ["shared", "ports", "single"] as const;
export type Topology = (typeof topologies)[number];

/** What an operator says of a new host. */
export interface WantedSettings {
  readonly url: URL | undefined;
  readonly topology: Topology;
  readonly mailFrom: string | undefined;
}

/** Variables that a topology must not set. */
const left: Readonly<Record<Topology, readonly string[]>> = {
  shared: [],
  ports: ["API_HTTP_PORT", "ADMIN_API_HTTP_PORT", "API_HTTP_REUSE_PORT"],
  single: ["API_HTTP_REUSE_PORT"],
};

/** Returns the settings of a new host: the example with the host's own names. From then on the file is the operator's. */
export function firstSettings(url: URL, { topology, mailFrom }: Omit<WantedSettings, "url">): string {
  const name = url.hostname;
  // Browsers make no passkeys for an IP address.
  const hasName = isIP(name.replace(/^\[|\]$/g, "")) === 0;
  const values: Readonly<Record<string, string | undefined>> = {
    APP_URL: url.origin,
    ADMIN_APP_URL: undefined,
    AUTH_WEBAUTHN_RP_ID: hasName ? name : undefined,
    MAIL_FROM: mailFrom ?? `Gatehouse <no-reply@${name}>`,
    ...Object.fromEntries(left[topology].map((variable) => [variable, undefined])),
  };
  const own = textOf("gatehouse.env.example").replaceAll("auth.example.com", name);
  return Object.entries(values).reduce((text, [variable, value]) => withSetting(text, variable, value), own);
}

/**
 * Returns the text with a line that sets the variable, in place of the line that sets it now or of a commented example. Without a value,
 * the line that sets it is commented out.
 */
function withSetting(text: string, variable: string, value: string | undefined): string {
  const active = new RegExp(`^${variable}=.*$`, "m");
  if (value === undefined) return text.replace(active, (line) => `#${line}`);
  const line = `${variable}=${value}`;
  if (active.test(text)) return text.replace(active, () => line);
  const shown = new RegExp(`^#${variable}=.*$`, "m");
  if (shown.test(text)) return text.replace(shown, () => line);
  return `${text.replace(/\n?$/, "\n")}${line}\n`;
}

export function withAdminSettings(text: string, url: URL): string {
  const party = readSettings(text)["AUTH_WEBAUTHN_RP_ID"];
  const isShared = party === undefined || url.hostname === party || url.hostname.endsWith(`.${party}`);
  const added = withSetting(text, "ADMIN_APP_URL", url.origin);
  // A start refuses a passkey domain that does not contain the app's own address.
  return isShared ? added : withSetting(added, "ADMIN_AUTH_WEBAUTHN_RP_ID", url.hostname);
}

export type Settings = Readonly<Record<string, string | undefined>>;

/** Reads the settings as the services get them from systemd. */
export const readSettings = (text: string): Settings =>
  Object.fromEntries(readEnvironmentFile(text).assignments.map(({ name, value }) => [name, value]));

export function topologyProblem(
  settings: Settings,
  topology: Topology,
): { readonly reason: string; readonly advice: string } | undefined {
  const set = left[topology].filter((variable) => settings[variable] !== undefined);
  if (set.length > 0)
    return {
      reason: `--topology ${topology} goes without ${set.join(", ")}`,
      advice: `remove what sets it from ${settingsPath}`,
    };
  if (topology === "shared" && settings["API_HTTP_REUSE_PORT"] !== "true")
    return {
      reason: "--topology shared takes API_HTTP_PORT and API_HTTP_REUSE_PORT=true",
      advice: `set them in ${settingsPath}`,
    };
  return undefined;
}

/** Whether a setting is on, as the services read it. */
export const isOn = (value: string | undefined): boolean => value === "true" || value === "1";
