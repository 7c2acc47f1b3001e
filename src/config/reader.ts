import { createPrivateKey } from "node:crypto";
import { isIP } from "node:net";
import { hour, minute } from "../core/clock.ts";
import { parseDuration } from "../core/duration.ts";
import type { AppName } from "./index.ts";
import { variables, type Variable, type VariableName } from "./variables.ts";

export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

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

export const splitList = (value: string): readonly string[] =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

function isCidr(block: string): boolean {
  const [address = "", bits, ...rest] = block.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length > 0 || longest < 0 || address.includes("%")) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}

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
      if (ms < (kind.minMs ?? 0)) return "must be longer than nothing";
      return ms > (kind.maxMs ?? longestMs) ? `must not exceed ${inWords(kind.maxMs ?? longestMs)}` : undefined;
    }
    case "integer": {
      const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
      return number >= kind.min && number <= kind.max
        ? undefined
        : `must be a whole number from ${kind.min} to ${kind.max}`;
    }
    case "choice":
      return kind.of.includes(value) ? undefined : `must be one of ${kind.of.join(", ")}`;
    case "tenant":
      return tenant.test(value) ? undefined : "must be common, organizations, consumers or the id (UUID) of a tenant";
    case "p256-key":
      return isP256Key(value) ? undefined : "must be a P-256 private key in PEM form (PKCS #8)";
    case "cidrs":
      return splitList(value).every(isCidr) ? undefined : "must be a list of CIDR blocks";
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
