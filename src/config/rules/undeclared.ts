import { isOneSlipAway } from "../environment/misspelt.ts";
import { valueIn, type EnvironmentValues } from "../reader.ts";
import type { AppName } from "../variables/kinds/variable.ts";
import { isLoopbackHost } from "./hosts.ts";

/** Variables that systemd sets in the environment of a service (systemd.exec(5)). */
const ofServices = ["CREDENTIALS_DIRECTORY", "INVOCATION_ID"] as const;
const appPrefix = /^(?:APP|ADMIN)_/;

/** Whether a name was probably meant as APP_ENV: it is one letter off, or not in capitals. */
function isSlip(name: string): boolean {
  const upper = name.toUpperCase();
  const meanings = [upper, upper.replace(appPrefix, "")];
  if (meanings.includes("APP_ENV")) return name !== upper;
  return meanings.some((meant) => isOneSlipAway(meant, "APP_ENV"));
}

function hintsIn(env: EnvironmentValues, app: AppName): readonly string[] {
  const appUrl = valueIn(env, app, "APP_URL");
  const parsed = appUrl === undefined ? null : URL.parse(appUrl);
  const isElsewhere = appUrl !== undefined && (parsed === null || !isLoopbackHost(parsed));
  const names = Object.keys(env).filter((name) => env[name] !== undefined && env[name] !== "");
  return [
    ...(isElsewhere ? ["APP_URL is not an address of this host"] : []),
    ...ofServices.filter((name) => names.includes(name)).map((name) => `${name} is set`),
    ...names.filter(isSlip).map((name) => `${name} looks like a slip of it`),
  ];
}

/**
 * Says why a start without APP_ENV is not taken for a local one. A local start makes an account and hands reset tokens to everybody who
 * asks: a deployment that has lost its APP_ENV must not silently become one.
 */
export function undeclaredProblems(env: EnvironmentValues, app: AppName): readonly string[] {
  const hints = valueIn(env, app, "APP_ENV") === undefined ? hintsIn(env, app) : [];
  if (hints.length === 0) return [];
  const remedy = "Set APP_ENV=production, or APP_ENV=local if it is one";
  return [`APP_ENV is not set, and this is no local start: ${hints.join("; ")}. ${remedy}`];
}
