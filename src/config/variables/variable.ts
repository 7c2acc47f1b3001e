import type { Kind } from "./kinds.ts";

export type AppName = "app" | "admin";

/** What the configuration depends on that is not in the environment. */
export interface AppIdentity {
  /** Its own variables begin with it: ADMIN_API_HTTP_PORT. */
  readonly name: AppName;
  /** Where each role listens unless the environment says otherwise: HTTP for everybody, the other two for metrics alone. */
  readonly ports: { readonly http: number; readonly worker: number; readonly scheduler: number };
}

/** What a default may depend on. */
export interface Circumstances {
  readonly app: AppIdentity;
  /** Whether APP_ENV is local. */
  readonly local: boolean;
  /** The value of another variable, or its default, as it is written in the environment. */
  readonly text: (name: string) => string;
  /** The name that stands for `<NAME>` in the variable. */
  readonly resource: string;
}

interface AnyVariable {
  /** The heading under which documents list it. */
  readonly group: string;
  readonly name: string;
  readonly kind: Kind<unknown>;
  /** The default as it would be written in the environment. Documents show it. */
  readonly fallback?: string;
  /** A default that is not the same everywhere. The description says in words what it comes to. */
  readonly otherwise?: (circumstances: Circumstances) => string;
  /** Reads as undefined when it is not set; it has no default. */
  readonly optional?: true;
  readonly description: string;
}

/** `secret` keeps a value out of the log, and lets it be read from a file. Only text can be kept out of other text. */
export type Variable =
  | (AnyVariable & { readonly secret?: never })
  | (AnyVariable & { readonly secret: true; readonly kind: Kind<string> | Kind<readonly string[]> });

/** A part of the configuration that is undefined unless all its `needed` variables are set. */
export interface Optional {
  readonly needed: readonly Variable[];
  readonly section: Readonly<Record<string, Variable>>;
}

/**
 * Resources of one family: the default one, set by variables such as STORAGE_PATH, and as many others as STORAGE_<NAME>_DRIVER
 * names, set by variables such as STORAGE_<NAME>_PATH. Both sections have the same keys.
 */
export interface Resources {
  readonly family: string;
  readonly default: Section;
  readonly named: Section;
}

/** Any number of settings alike, by the names in variables such as WEBHOOK_<NAME>_URL. There is none by default. */
export interface Named {
  readonly prefix: string;
  /** What is named. */
  readonly what: "webhook" | "provider";
  readonly each: Section;
}

export type Entry = Variable | Optional | Resources | Named | Section;

/** Variables by the place of their value in `Config`: a value is found there under the same keys as its variable here. */
export interface Section {
  readonly [key: string]: Entry;
}

export const isVariable = (entry: Entry): entry is Variable => "kind" in entry;
export const isOptional = (entry: Entry): entry is Optional => "needed" in entry;
export const isResources = (entry: Entry): entry is Resources => "family" in entry;
export const isNamed = (entry: Entry): entry is Named => "each" in entry;

export const whenSet = <const Inner extends Optional["section"]>(
  needed: readonly NoInfer<keyof Inner & string>[],
  section: Inner,
) => ({ needed: needed.map((key) => section[key]), section });
