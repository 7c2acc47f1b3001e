import { systemClock } from "../../core/clock.ts";
import type { AppError } from "../../core/errors.ts";
import { createNews } from "../../core/pace/news.ts";
import type { Log } from "../../observe/index.ts";

/** How many requests a minute are logged that fail for one reason, while the database, say, can't be used. Then every request does. */
const linesAMinute = 20;

/** Logs what a request has failed with, which the client is not told. Beyond the limit it is logged at the level for debugging. */
export function createFailureLog(log: Log) {
  const isNews = createNews(systemClock, linesAMinute);
  return ({ reason, cause }: AppError, requestId: string): void => {
    if (cause === undefined) return;
    const isTold = reason !== "unavailable" || isNews(cause instanceof Error ? cause.message : "");
    log[isTold ? "error" : "debug"]("request failed", { request_id: requestId, code: reason, error: cause });
  };
}
