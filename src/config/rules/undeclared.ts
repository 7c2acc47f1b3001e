import { isOneSlipAway } from "../environment/misspelt.ts";
import { valueIn, type EnvironmentValues } from "../reader.ts";
import type { AppName } from "../variables/variable.ts";
import { isLoopbackHost } from "./hosts.ts";

/** Both are in the environment of a service that systemd has started (systemd.exec(5)). */
const ofServices = ["CREDENTIALS_DIRECTORY", "INVOCATION_ID"] as const;
const appPrefix = /^(?:APP|ADMIN)_/;

/** Whether APP_ENV was probably meant by a name: it is one letter off, or not in capitals. */
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
 * Why a start without APP_ENV is not taken for a local one. A local start makes an account, and answers reset tokens to whoever
 * asks for them: a deployment that has lost its APP_ENV must not become one without a word.
 */
export function undeclaredProblems(env: EnvironmentValues, app: AppName): readonly string[] {
  const hints = valueIn(env, app, "APP_ENV") === undefined ? hintsIn(env, app) : [];
  if (hints.length === 0) return [];
  const remedy = "Set APP_ENV=production, or APP_ENV=local if it is one";
  return [`APP_ENV is not set, and this is no local start: ${hints.join("; ")}. ${remedy}`];
}
