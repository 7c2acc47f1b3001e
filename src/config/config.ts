import type { table } from "./variables/index.ts";
import type { Kind } from "./variables/kinds/kinds.ts";
import type { AppName, Named, Optional, Resources, Variable } from "./variables/kinds/variable.ts";

type ValueOf<Found extends Variable> =
  Found["kind"] extends Kind<infer Value>
    ? Found extends { readonly optional: true }
      ? Value | undefined
      : Value
    : never;

type SettingOf<Found> = Found extends Variable
  ? ValueOf<Found>
  : Found extends Optional
    ? SettingsOf<Found["section"]> | undefined
    : Found extends Resources
      ? Readonly<Record<string, SettingsOf<Found["default"]>>>
      : Found extends Named
        ? Readonly<Record<string, SettingsOf<Found["each"]>>>
        : SettingsOf<Found>;

/** A section of the table of variables, with each variable replaced by its value. */
export type SettingsOf<Found> = { readonly [Key in keyof Found]: SettingOf<Found[Key]> };

/**
 * The configuration of one app: validated, frozen, read once at the start. Durations are in milliseconds. A family holds each of its
 * resources by name, including `default`.
 */
export type Config = SettingsOf<typeof table> & {
  readonly app: {
    readonly name: AppName;
    /** The person who runs a command on the host, as far as they are known: no setting, and absent in what serves. */
    readonly operator?: string | undefined;
    /** APP_URL of the other app, if both share their settings. */
    readonly otherUrl: URL | undefined;
    /** The HTTP port of the other app where the settings name one. */
    readonly otherPort: number | undefined;
  };
  readonly lighthouse: {
    /** Whether recording is requested and LIGHTHOUSE_SECRET is set, without which nobody could read the inspects. */
    readonly recording: boolean;
    /** The file of the app's inspects, for the admin app, which shows them too. Undefined if both apps share one. */
    readonly pathOfApp: string | undefined;
  };
  /** Whether a provider may be reached without TLS: only in local and testing. */
  readonly oauth: { readonly plainHttp: boolean };
};

export type OAuthConfig = Config["oauth"];
