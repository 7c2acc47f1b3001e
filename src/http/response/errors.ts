import { TypeGuard, type TSchema } from "@sinclair/typebox";
import { Elysia, ElysiaCustomStatusResponse, ParseError, ValidationError } from "elysia";
import { AppError } from "../../core/errors.ts";
import { FieldFault, missingField, tooLong, tooShort, wrongType, type FieldFaults } from "../../core/fields.ts";
import { CacheUnavailable } from "../../drivers/cache/index.ts";
import { DatabaseUnavailable } from "../../drivers/database/index.ts";
import { StorageUnavailable } from "../../drivers/storage/index.ts";
import type { Log } from "../../observe/index.ts";
import type { BodyFailures } from "../request/body.ts";
import { envelope } from "./envelope.ts";
import { createFailureLog } from "./failures.ts";
import type { RequestFacts } from "../request/facts.ts";

interface ErrorOptions {
  readonly facts: RequestFacts;
  readonly log: Log;
  readonly onRefusal?: ((refusal: AppError) => void) | undefined;
  readonly bodies: BodyFailures;
}

const invalidValue = new FieldFault("invalid_value", "is not one of the values that are taken");

/** Turns every failure into the error envelope. Details that the client can't act on go to the log alone. */
export const errors = ({ facts, log, onRefusal, bodies }: ErrorOptions) => {
  const tell = createFailureLog(log);
  return new Elysia({ name: "http/errors" }).onError({ as: "global" }, ({ request, error, code, set }) => {
    if (code === "NOT_FOUND") {
      facts.markUnrouted(request);
      return new Response(null, { status: 404 });
    }
    if (error instanceof ElysiaCustomStatusResponse) return undefined;
    const requestId = facts.requestId(request);
    const unreadable = bodies.take(request);
    const found = toAppError(error);
    // An unreadable body stands as an empty one. Its own fault is the one to tell, not the fields that an empty body lacks.
    const refusal = unreadable !== undefined && found.reason === "invalid_payload" ? unreadable : found;
    onRefusal?.(refusal);
    tell(refusal, requestId);
    set.status = refusal.status;
    if (refusal.retryAfterSeconds !== undefined) set.headers["retry-after"] = String(refusal.retryAfterSeconds);
    return envelope(refusal, requestId);
  });
};

/** Returns the refusal for a thrown error. A refusal with a cause is a fault of ours or of a driver, and has to be logged. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ParseError)
    return error.cause instanceof AppError ? error.cause : new AppError("invalid_payload");
  if (error instanceof ValidationError && error.type !== "response") {
    return new AppError("invalid_payload", { fields: faultsOf(error) });
  }
  if (error instanceof ValidationError) {
    // The error's message holds the value, which must not be logged; the path in the schema is enough to find the fault.
    const at = error.valueError?.path ?? "";
    return new AppError("internal_error", { cause: new Error(`the response breaks its schema at "${at}"`) });
  }
  const unavailable = [DatabaseUnavailable, CacheUnavailable, StorageUnavailable];
  if (unavailable.some((kind) => error instanceof kind))
    return new AppError("unavailable", { retryAfterSeconds: 1, cause: error });
  return new AppError("internal_error", { cause: error ?? new Error("nothing was thrown") });
}

/** Returns which field has which fault, never the value. Shows the first fault of a field. */
function faultsOf(error: ValidationError): FieldFaults {
  const faults: Record<string, FieldFault> = {};
  for (const fault of error.all) {
    if (!("path" in fault) || typeof fault.path !== "string") continue;
    const field = fault.path.split("/")[1] ?? "";
    if (field === "" || Object.hasOwn(faults, field)) continue;
    faults[field] = "schema" in fault ? faultOf(fault.value, fault.schema) : invalidValue;
  }
  return faults;
}

function faultOf(value: unknown, schema: TSchema): FieldFault {
  if (value === undefined) return missingField;
  if (TypeGuard.IsBoolean(schema)) return wrongType("true or false");
  if (TypeGuard.IsNumber(schema) || TypeGuard.IsInteger(schema)) return wrongType("a number");
  if (!TypeGuard.IsString(schema)) return invalidValue;
  if (typeof value !== "string") return wrongType("a string");
  const { minLength = 0, maxLength = Infinity } = schema;
  if (value.length > maxLength) return tooLong(maxLength);
  return value.length < minLength ? tooShort(minLength) : invalidValue;
}
