import { second } from "../core/clock.ts";
import type { ReadinessCheck } from "../core/module.ts";
import type { Log } from "../observe/index.ts";

export interface CheckResult {
  readonly type: ReadinessCheck["type"];
  readonly name: string;
  readonly driver: string;
  /** True where the app is ready without it. */
  readonly optional?: boolean;
  readonly status: "ok" | "failed";
  readonly duration_ms: number;
  readonly error?: string;
}

/** Whether the app can serve requests, as its checks say. */
export const isReady = (results: readonly Pick<CheckResult, "status" | "optional">[]): boolean =>
  results.every(({ status, optional }) => status === "ok" || optional === true);

interface ReadinessOptions {
  readonly checks: readonly ReadinessCheck[];
  /** How long a check may take that has to pass. Default: two seconds. */
  readonly timeoutMs?: number;
  readonly log: Log;
}

/**
 * Runs the checks one after another. Callers that come during a run share its results: many cost no more than one. Those without which the
 * app is ready run beside the others and have a quarter of the time, so that a load balancer which waits for two seconds does not take one
 * that hangs for a host that is down.
 */
export function createReadiness({
  checks,
  timeoutMs = 2 * second,
  log,
}: ReadinessOptions): () => Promise<readonly CheckResult[]> {
  const watched = checks.map((check) => {
    const isOptional = check.optional === true;
    return { isOptional, run: createWatchedCheck(check, isOptional ? timeoutMs / 4 : timeoutMs, log) };
  });
  let current: Promise<readonly CheckResult[]> | undefined;

  async function runAll(): Promise<readonly CheckResult[]> {
    const begun = watched.map(({ isOptional, run }) => (isOptional ? run() : undefined));
    const results: CheckResult[] = [];
    for (const [index, { run }] of watched.entries()) results.push(await (begun[index] ?? run()));
    return results;
  }

  return () => {
    current ??= runAll().finally(() => {
      current = undefined;
    });
    return current;
  };
}

function createWatchedCheck(check: ReadinessCheck, timeoutMs: number, log: Log) {
  const { type, name, driver, optional } = check;
  let attempt: Promise<string | undefined> | undefined;
  let lastError: string | undefined;

  /** A check that hangs is not started a second time: the next run waits for the same attempt. */
  function errorOf(): Promise<string | undefined> {
    attempt ??= start().finally(() => {
      attempt = undefined;
    });
    return attempt;
  }

  async function start(): Promise<string | undefined> {
    try {
      await check.check();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  return async (): Promise<CheckResult> => {
    const started = performance.now();
    const timeout = Promise.withResolvers<string>();
    const timer = setTimeout(timeout.resolve, timeoutMs, `no answer within ${timeoutMs} ms`);
    const error = await Promise.race([errorOf(), timeout.promise]);
    clearTimeout(timer);
    // Only a change is logged: a load balancer asks several times a second.
    if (error !== lastError) {
      if (error === undefined) log.info("readiness check passes again", { type, name, driver });
      else log.error("readiness check failed", { type, name, driver, error });
    }
    lastError = error;
    const place = { type, name, driver, ...(optional === true && { optional }) };
    const result = { ...place, duration_ms: Math.round(performance.now() - started) };
    return error === undefined ? { ...result, status: "ok" } : { ...result, status: "failed", error };
  };
}
