import { t } from "elysia";
import type { AppError } from "../../core/errors.ts";
import { fieldCodes, type FieldFaults } from "../../core/fields.ts";

/** The one shape of every refusal; `code` is what a program may act on, `error` the same for a person. */
const ErrorBody = t.Object({
  ok: t.Literal(false),
  error: t.String(),
  code: t.String(),
  request_id: t.String(),
  fields: t.Optional(t.Record(t.String(), t.Object({ code: t.UnionEnum(fieldCodes), message: t.String() }))),
  detail: t.Optional(t.String()),
});

/** The `response` entries of a route's refusals: `{ 200: …, ...errorResponses(400, 401) }`. */
export function errorResponses<const Status extends number>(...statuses: Status[]): Record<Status, typeof ErrorBody>;
export function errorResponses(...statuses: number[]): Record<number, typeof ErrorBody> {
  return Object.fromEntries(statuses.map((status) => [status, ErrorBody]));
}

const presentFields = (faults: FieldFaults) =>
  Object.fromEntries(
    Object.entries(faults).map(([field, { code, complaint }]) => [field, { code, message: `This ${complaint}.` }]),
  );

export const envelope = ({ message, reason, fields, detail }: AppError, requestId: string) => ({
  ok: false as const,
  error: message,
  code: reason,
  request_id: requestId,
  ...(fields === undefined ? {} : { fields: presentFields(fields) }),
  ...(detail === undefined ? {} : { detail }),
});

/** The whole answer, for refusals that are made outside the router. */
export function errorResponse(error: AppError, requestId: string): Response {
  const response = Response.json(envelope(error, requestId), { status: error.status });
  if (error.retryAfterSeconds !== undefined) response.headers.set("retry-after", String(error.retryAfterSeconds));
  return response;
}
