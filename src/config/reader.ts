import { parseDuration } from "../core/duration.ts";
import type { AppName } from "./index.ts";
import { variables, type Variable, type VariableName } from "./variables.ts";

export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

const address = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;
const cidr = /^[\da-fA-F.:]+(?:\/\d{1,3})?$/;
const flags: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

export const splitList = (value: string): readonly string[] =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Why a value breaks its variable's rule; the value itself is never repeated, for it may be a secret put in the wrong place. */
function complaint({ kind }: Variable, value: string): string | undefined {
  switch (kind.type) {
    case "text":
    case "list":
      return undefined;
    case "url": {
      const url = URL.parse(value);
      const fits = url !== null && ["http:", "https:"].includes(url.protocol) && url.username === "";
      return fits ? undefined : "must be an http or https URL";
    }
    case "email":
      return address.test(value) ? undefined : "must be an email address";
    case "flag":
      return flags.has(value) ? undefined : "must be true or false";
    case "debug":
      return flags.has(value) || /^[0-3]$/.test(value) ? undefined : "must be true, false or a level from 0 to 3";
    case "duration": {
      const ms = parseDuration(value);
      if (ms === undefined) return "must be a duration such as 15m, 1h30m or 720h";
      return ms < (kind.minMs ?? 0) ? "must be longer than nothing" : undefined;
    }
    case "integer": {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      return number >= kind.min && number <= kind.max ? undefined : `must be a whole number from ${kind.min} to ${kind.max}`;
    }
    case "choice":
      return kind.of.includes(value) ? undefined : `must be one of ${kind.of.join(", ")}`;
    case "cidrs":
      return splitList(value).every((block) => cidr.test(block)) ? undefined : "must be a list of CIDR blocks";
  }
}

const table: ReadonlyMap<string, Variable> = new Map(variables.map((variable) => [variable.name, variable]));

/**
 * Typed access to the environment. A variable with the app's name in front (`ADMIN_API_HTTP_PORT`) wins over the plain one;
 * an empty value counts as not given. Values that break their rule are collected and read as their default.
 */
export function createReader(app: AppName, env: EnvironmentValues) {
  const problems: string[] = [];
  const given = (name: VariableName): string | undefined =>
    [env[`${app.toUpperCase()}_${name}`], env[name]].find((value) => value !== undefined && value !== "");

  const accepted = new Map<string, string>();
  for (const variable of variables) {
    const value = given(variable.name);
    if (value === undefined) continue;
    const wrong = complaint(variable, value);
    if (wrong === undefined) accepted.set(variable.name, value);
    else problems.push(`${variable.name} ${wrong}`);
  }

  const text = (name: VariableName, otherwise = ""): string =>
    accepted.get(name) ?? table.get(name)?.fallback ?? otherwise;

  return {
    problems,
    /** Given at all, whatever its value. */
    isGiven: (name: VariableName): boolean => given(name) !== undefined,
    text,
    list: (name: VariableName): readonly string[] => splitList(text(name)),
    flag: (name: VariableName, otherwise = false): boolean => flags.get(text(name)) ?? otherwise,
    integer: (name: VariableName, otherwise = 0): number => Number(text(name, String(otherwise))),
    durationMs: (name: VariableName, otherwise = "0"): number => parseDuration(text(name, otherwise)) ?? 0,
    /** APP_DEBUG: true is level 1. */
    debug: (name: VariableName): number => {
      const value = text(name);
      return value === "true" ? 1 : value === "false" ? 0 : Number(value);
    },
    choice: <const Of extends string>(name: VariableName, of: readonly Of[], otherwise: NoInfer<Of>): Of =>
      of.find((each) => each === text(name)) ?? otherwise,
  };
}

export type Reader = ReturnType<typeof createReader>;
