import { createPrivateKey } from "node:crypto";
import { isBlock } from "../core/address.ts";
import { hour, minute } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import type { AppName } from "./index.ts";
import { isName, maxNameLength } from "../core/naming.ts";
import { variables, type Variable, type VariableName } from "./variables.ts";

/** Families of named resources (SEED §2): `<FAMILY>_DRIVER` is the default one, `<FAMILY>_<NAME>_DRIVER` a named one. */
export type ResourceFamily = "CACHE" | "EVENTS" | "QUEUE" | "STORAGE";
export const defaultResource = "default";

export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

const ratio = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;
const address = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;
const mailbox = /^[^<>\p{Cc}]{0,100}<([^<>]+)>$/u;
/** Ten years: a date so far ahead can still be written down. */
const longestMs = 87_600 * hour;
const flags: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** One item a line where there is more than one line, else separated by commas. */
export const splitList = (value: string): readonly string[] =>
  value
    .split(value.includes("\n") ? "\n" : ",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

const tenant = /^(?:common|organizations|consumers|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/i;

/** PKCS #8 in PEM, on the curve of ES256 (RFC 7518 §3.4). */
function isP256Key(pem: string): boolean {
  try {
    const key = createPrivateKey(pem.replaceAll("\\n", "\n"));
    return pem.includes("BEGIN PRIVATE KEY") && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}

const inWords = (ms: number): string => (ms % hour === 0 ? `${ms / hour}h` : `${ms / minute}m`);

/** Why a value breaks its variable's rule; the value itself is never repeated, for it may be a secret put in the wrong place. */
function complaint({ kind }: Variable, value: string): string | undefined {
  switch (kind.type) {
    case "text":
    case "list":
      return undefined;
    case "url": {
      const url = URL.parse(value);
      const fits =
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        `${url.username}${url.password}${url.search}${url.hash}` === "";
      return fits ? undefined : "must be an http or https URL without credentials, query or fragment";
    }
    case "email":
      return address.test(value) ? undefined : "must be an email address";
    case "mailbox":
      return address.test(mailbox.exec(value)?.[1] ?? value)
        ? undefined
        : "must be an email address, with or without a name";
    case "flag":
      return flags.has(value) ? undefined : "must be true or false";
    case "debug":
      return flags.has(value) || /^[0-3]$/.test(value) ? undefined : "must be true, false or a level from 0 to 3";
    case "duration": {
      const ms = parseDuration(value);
      if (ms === undefined) return "must be a duration such as 15m, 1h30m or 720h";
      const shortest = kind.minMs ?? 0;
      if (ms < shortest) return shortest === 1 ? "must be longer than nothing" : `must be at least ${shortest}ms`;
      return ms > (kind.maxMs ?? longestMs) ? `must not exceed ${inWords(kind.maxMs ?? longestMs)}` : undefined;
    }
    case "integer": {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      return number >= kind.min && number <= kind.max
        ? undefined
        : `must be a whole number from ${kind.min} to ${kind.max}`;
    }
    case "ratio":
      return ratio.test(value) ? undefined : "must be a number from 0 to 1";
    case "choice":
      return kind.of.includes(value) ? undefined : `must be one of ${kind.of.join(", ")}`;
    case "tenant":
      return tenant.test(value) ? undefined : "must be common, organizations, consumers or the id (UUID) of a tenant";
    case "p256-key":
      return isP256Key(value) ? undefined : "must be a P-256 private key in PEM form (PKCS #8)";
    case "cidrs":
      return splitList(value).every(isBlock) ? undefined : "must be a list of CIDR blocks";
  }
}

const table: ReadonlyMap<string, Variable> = new Map(variables.map((variable) => [variable.name, variable]));
const perResource: readonly Variable[] = variables.filter(({ name }) => name.includes("_<NAME>_"));

/** What follows the family's name in the variables of a default resource, and its own name in those of a named one. */
type Suffix<Family extends ResourceFamily> = VariableName extends infer Name
  ? Name extends `${Family}_<NAME>_${infer Rest}`
    ? Rest
    : never
  : never;

/** Reads the settings of one resource: `text("PATH")` is STORAGE_PATH for the default one, STORAGE_UPLOADS_PATH for `uploads`. */
export interface ResourceReader<Family extends ResourceFamily> {
  readonly name: string;
  text(suffix: Suffix<Family>, otherwise?: string): string;
  choice<const Of extends string>(suffix: Suffix<Family>, of: readonly Of[], otherwise: NoInfer<Of>): Of;
}

/**
 * Typed access to the environment. A variable with the app's name in front (`ADMIN_API_HTTP_PORT`) wins over the plain one;
 * an empty value counts as not given. Values that break their rule are collected and read as their default. `unread` are
 * given, but what they hold could not be had.
 */
export function createReader(app: AppName, env: EnvironmentValues, unread: ReadonlySet<string> = new Set()) {
  const problems: string[] = [];
  const prefix = `${app.toUpperCase()}_`;
  const given = (name: string): string | undefined =>
    [env[`${prefix}${name}`], env[name]].find((value) => value !== undefined && value !== "");

  const accepted = new Map<string, string>();
  function accept(variable: Variable, name: string): void {
    const value = given(name);
    if (value === undefined) return;
    const wrong = complaint(variable, value);
    if (wrong === undefined) accepted.set(name, value);
    else problems.push(`${name} ${wrong}`);
  }
  for (const variable of variables) accept(variable, variable.name);

  const plainNames: ReadonlySet<string> = new Set(
    Object.keys(env).map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)),
  );
  /** Which resources the environment names; checks their names and settings. */
  function namedIn(family: string): readonly string[] {
    const named: string[] = [];
    const patterns = perResource.filter(({ name }) => name.startsWith(`${family}_<NAME>_`));
    for (const variable of patterns) {
      const suffix = variable.name.slice(`${family}_<NAME>`.length);
      for (const name of plainNames) {
        if (table.has(name) || given(name) === undefined) continue;
        if (
          !name.startsWith(`${family}_`) ||
          !name.endsWith(suffix) ||
          name.length <= family.length + suffix.length + 1
        )
          continue;
        const resource = name.slice(family.length + 1, -suffix.length).toLowerCase();
        if (name !== name.toUpperCase()) problems.push(`${name} must be written in upper case`);
        else if (!isName("resource", resource))
          problems.push(`${name}: a resource is named by one word of at most ${maxNameLength} letters and digits`);
        else if (resource === defaultResource) problems.push(`${name}: the default resource is ${family}${suffix}`);
        else if (suffix === "_DRIVER") named.push(resource);
        else if (given(`${family}_${resource.toUpperCase()}_DRIVER`) === undefined)
          problems.push(`${name} is set without ${family}_${resource.toUpperCase()}_DRIVER`);
        accept(variable, name);
      }
    }
    return named.toSorted();
  }

  const text = (name: VariableName, otherwise = ""): string =>
    accepted.get(name) ?? table.get(name)?.fallback ?? otherwise;

  return {
    problems,
    /** Given at all, whatever its value. */
    isGiven: (name: VariableName): boolean => given(name) !== undefined || unread.has(name),
    /** What was accepted, those of named resources included once they were read. */
    given: (): readonly string[] => [...accepted.keys()],
    text,
    list: (name: VariableName): readonly string[] => splitList(text(name)),
    flag: (name: VariableName, otherwise = false): boolean => flags.get(text(name)) ?? otherwise,
    integer: (name: VariableName, otherwise = 0): number => Number(text(name, String(otherwise))),
    ratio: (name: VariableName, otherwise = 1): number => Number(text(name, String(otherwise))),
    durationMs: (name: VariableName, otherwise = "0"): number => parseDuration(text(name, otherwise)) ?? 0,
    /** APP_DEBUG: true is level 1. */
    debug: (name: VariableName): number => {
      const value = text(name);
      return value === "true" ? 1 : value === "false" ? 0 : Number(value);
    },
    choice: <const Of extends string>(name: VariableName, of: readonly Of[], otherwise: NoInfer<Of>): Of =>
      of.find((each) => each === text(name)) ?? otherwise,

    /** The family's default resource and every named one. */
    resources<const Family extends ResourceFamily, Settings>(
      family: Family,
      read: (resource: ResourceReader<Family>) => Settings,
    ): Readonly<Record<string, Settings>> {
      const settingsOf = (name: string): Settings => {
        const middle = name === defaultResource ? "" : `${name.toUpperCase()}_`;
        const value = (suffix: string, otherwise: string): string => {
          const variable = `${family}_${middle}${suffix}`;
          return accepted.get(variable) ?? table.get(variable)?.fallback ?? otherwise;
        };
        return read({
          name,
          text: (suffix, otherwise = "") => value(suffix, otherwise),
          choice: (suffix, of, otherwise) => of.find((each) => each === value(suffix, otherwise)) ?? otherwise,
        });
      };
      return Object.fromEntries([defaultResource, ...namedIn(family)].map((name) => [name, settingsOf(name)]));
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
