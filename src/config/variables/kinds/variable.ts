import type { Kind } from "./kinds.ts";

export type AppName = "app" | "admin";

/** Facts besides the environment that the configuration depends on. */
export interface AppIdentity {
  /** The app's name, which its own variables have as a prefix: ADMIN_API_HTTP_PORT. */
  readonly name: AppName;
  /** Default ports of each role: HTTP for everybody, the other two for metrics alone. */
  readonly ports: { readonly http: number; readonly worker: number; readonly scheduler: number };
}

/** Facts that a default may depend on. */
export interface Circumstances {
  readonly app: AppIdentity;
  /** Whether APP_ENV is local. */
  readonly local: boolean;
  /** Returns the value of another variable, or its default, as written in the environment. */
  readonly text: (name: string) => string;
  /** The name in place of `<NAME>` in the variable. */
  readonly resource: string;
}

interface Facts {
  /** The default as it would be written in the environment. Documents show it. */
  readonly fallback?: string;
  /** A default that depends on circumstances. The description explains it in words. */
  readonly otherwise?: (circumstances: Circumstances) => string;
  /** Whether the variable has no default and reads as undefined when it is not set. */
  readonly optional?: true;
  readonly secret?: true;
  readonly description: string;
}

interface AnyVariable extends Omit<Facts, "secret"> {
  /** The heading under which documents list the variable. */
  readonly group: string;
  readonly name: string;
  readonly kind: Kind<unknown>;
}

/** A variable. `secret` keeps its value out of the log and lets it be read from a file. Only text can be kept out of other text. */
export type Variable =
  | (AnyVariable & { readonly secret?: never })
  | (AnyVariable & { readonly secret: true; readonly kind: Kind<string> | Kind<readonly string[]> });

/** Returns the function that makes the variables of a group, each with its own types of name and value. */
export const variablesOf =
  (group: string) =>
  <const Name extends string, Value, const Own extends Facts>(
    name: Name,
    kind: Kind<Value>,
    // A misspelt fact, such as a secret that is none, must not compile.
    facts: Own & { readonly [Key in Exclude<keyof Own, keyof Facts>]: never },
  ) => ({
    group,
    name,
    kind,
    ...facts,
  });

/** A part of the configuration that is undefined unless all its `needed` variables are set. */
export interface Optional {
  readonly needed: readonly Variable[];
  readonly section: Readonly<Record<string, Variable>>;
}

/**
 * Resources of one family: the default one, set by variables such as STORAGE_PATH, and others that STORAGE_<NAME>_DRIVER names, set by
 * variables such as STORAGE_<NAME>_PATH. Both sections have the same keys.
 */
export interface Resources {
  readonly family: string;
  readonly default: Section;
  readonly named: Section;
}

/** Any number of similar settings, by the names in variables such as WEBHOOK_<NAME>_URL. None exists by default. */
export interface Named {
  readonly prefix: string;
  /** The kind of thing that is named. */
  readonly what: "webhook" | "hook" | "provider";
  readonly each: Section;
}

export type Entry = Variable | Optional | Resources | Named | Section;

/** Variables by the place of their value in `Config`: a value has the same keys there as its variable has here. */
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
