import { Elysia, ElysiaCustomStatusResponse, ParseError, ValidationError } from "elysia";
import { AppError } from "../../core/errors.ts";
import { CacheUnavailable } from "../../drivers/cache/index.ts";
import { DatabaseUnavailable } from "../../drivers/database/index.ts";
import { StorageUnavailable } from "../../drivers/storage/index.ts";
import type { Log } from "../../observe/index.ts";
import type { BodyFailures } from "../request/body.ts";
import { envelope } from "./envelope.ts";
import type { RequestFacts } from "../request/facts.ts";

interface ErrorOptions {
  readonly facts: RequestFacts;
  readonly log: Log;
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
  readonly bodies: BodyFailures;
}

/** Every failure becomes the error envelope. What the client can't act on goes to the log alone. */
export const errors = ({ facts, log, onRefusal, bodies }: ErrorOptions) =>
  new Elysia({ name: "http/errors" }).onError({ as: "global" }, ({ request, error, code, set }) => {
    if (code === "NOT_FOUND") {
      facts.markUnrouted(request);
      return new Response(null, { status: 404 });
    }
    if (error instanceof ElysiaCustomStatusResponse) return undefined;
    const requestId = facts.requestId(request);
    const unreadable = bodies.take(request);
    const refusal = unreadable !== undefined && error instanceof ValidationError ? unreadable : toAppError(error);
    onRefusal?.(refusal);
    if (refusal.cause !== undefined) {
      log.error("request failed", { request_id: requestId, code: refusal.reason, error: refusal.cause });
    }
    set.status = refusal.status;
    if (refusal.retryAfterSeconds !== undefined) set.headers["retry-after"] = String(refusal.retryAfterSeconds);
    return envelope(refusal, requestId);
  });

/** The refusal that stands for a thrown error. One that has a cause is a fault of ours or of a driver, and is to be logged. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ParseError)
    return error.cause instanceof AppError ? error.cause : new AppError("invalid_payload");
  if (error instanceof ValidationError && error.type !== "response") {
    return new AppError("invalid_payload", { fields: invalidFields(error) });
  }
  if (error instanceof ValidationError) {
    // The error's message holds the value, which is not for the log; the path in the schema is enough to find the fault.
    const at = error.valueError?.path ?? "";
    return new AppError("internal_error", { cause: new Error(`the response breaks its schema at "${at}"`) });
  }
  const unavailable = [DatabaseUnavailable, CacheUnavailable, StorageUnavailable];
  if (unavailable.some((kind) => error instanceof kind))
    return new AppError("unavailable", { retryAfterSeconds: 1, cause: error });
  return new AppError("internal_error", { cause: error ?? new Error("nothing was thrown") });
}

/** Field → what is wrong with it, never the value. The first fault of a field is the one shown. */
function invalidFields(error: ValidationError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const fault of error.all) {
    if (!("path" in fault) || typeof fault.path !== "string") continue;
    const field = fault.path.split("/")[1] ?? "";
    if (field === "" || Object.hasOwn(fields, field)) continue;
    fields[field] = !("value" in fault) || fault.value === undefined ? "is required" : describe(fault.message);
  }
  return fields;
}

const describe = (message: string | undefined): string =>
  message === undefined ? "is not valid" : message.toLowerCase();
