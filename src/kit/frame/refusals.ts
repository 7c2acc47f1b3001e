import type { PageAuth } from "../../auth/index.ts";
import type { AppError } from "../../core/errors.ts";
import { toAppError, type RequestFacts } from "../../http/index.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import type { Log } from "../../observe/index.ts";

interface RefusalOptions {
  readonly auth: Pick<PageAuth, "refused">;
  readonly facts: RequestFacts;
  readonly log: Log;
}

/** Turns a thrown error into the refusal that a page shows. Details that nobody can act on go to the log alone. */
export const createRefusals =
  ({ auth, facts, log }: RefusalOptions) =>
  (request: Request, head: PageHead, error: unknown): AppError => {
    const refusal = toAppError(error);
    auth.refused(refusal);
    if (refusal.cause !== undefined)
      log.error("a page failed", { request_id: facts.requestId(request), error: refusal.cause });
    if (refusal.retryAfterSeconds !== undefined) head.headers["retry-after"] = String(refusal.retryAfterSeconds);
    return refusal;
  };

export type Refusals = ReturnType<typeof createRefusals>;
