import { t, type TSchema } from "elysia";
import { errors, type AppError, type ErrorCode, type StatusOf } from "../../core/errors.ts";
import { fieldCodes, type FieldFaults } from "../../core/fields.ts";

const FieldError = t.Object(
  {
    code: t.UnionEnum(fieldCodes, { description: "For programs; the set is closed" }),
    message: t.String({ description: "The same for people: a sentence in English" }),
  },
  { title: "FieldError", description: "What is wrong with one field" },
);

/** The shape of every refusal. A program acts on `code`; `error` says the same for a person. */
export const ErrorBody = t.Object(
  {
    ok: t.Literal(false),
    error: t.String({ description: "For people, in English" }),
    code: t.String({ documented: { enum: Object.keys(errors) }, description: "For programs; no code is ever renamed" }),
    request_id: t.String({ description: "The name of the request in the log" }),
    fields: t.Optional(
      t.Record(t.String(), FieldError, { description: "Every field that is wrong, by its name; of 400 alone" }),
    ),
    challenge: t.Optional(t.String({ description: "Of `mfa_required` alone: the id of what is to be answered" })),
    methods: t.Optional(
      t.Array(t.String(), { description: "Of `mfa_required` alone: the second factors that answer it" }),
    ),
    expires_in: t.Optional(t.Integer({ description: "Of `mfa_required` alone: seconds" })),
    redirect: t.Optional(
      t.String({ description: "Of `provider_required` alone: where the browser begins the sign-in" }),
    ),
    unknown_passkey: t.Optional(
      t.Literal(true, { description: "Of a sign-in by a passkey that nobody has: its device may forget it" }),
    ),
    detail: t.Optional(t.String({ description: "For developers: what is wrong with the request, and where" })),
  },
  { title: "Error", description: "The one shape of every refusal" },
);

/**
 * Returns the `response` entries of a route's own refusals: `{ 200: …, ...errorResponses("invalid_credentials") }`. The API reference adds
 * the refusals of any route.
 */
export function errorResponses<const Code extends ErrorCode>(
  ...codes: Code[]
): Record<StatusOf<Code>, typeof ErrorBody>;
export function errorResponses(...codes: ErrorCode[]): Record<number, typeof ErrorBody> {
  const byStatus = Map.groupBy(codes, (code) => errors[code][0]);
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, { ...ErrorBody, codes }]));
}

/** Returns the answers of a route: its own with 200, and its refusals with these codes. */
export const answers = <Body extends TSchema, const Code extends ErrorCode>(body: Body, ...codes: Code[]) => ({
  200: body,
  ...errorResponses(...codes),
});

/** Returns the entries of codes that a route answers with another status than usual. */
export const errorResponsesAt = (status: number, ...codes: readonly ErrorCode[]): Record<number, typeof ErrorBody> => ({
  [status]: { ...ErrorBody, codes },
});

const presentFields = (faults: FieldFaults) =>
  Object.fromEntries(
    Object.entries(faults).map(([field, { code, complaint }]) => [field, { code, message: `This ${complaint}.` }]),
  );

/** Whether somebody has shown a passkey that nobody has. Where the account is known already, the passkey may be that of another one. */
const isUnknownPasskey = ({ reason, flaw }: AppError): boolean =>
  reason === "invalid_credentials" && flaw === "unknown_credential";

const present = ({ message, reason, fields, detail, challenge, redirect }: AppError, requestId: string) => ({
  ok: false as const,
  error: message,
  code: reason,
  request_id: requestId,
  ...(fields === undefined ? {} : { fields: presentFields(fields) }),
  ...(detail === undefined ? {} : { detail }),
  ...(redirect === undefined ? {} : { redirect }),
  ...(challenge !== undefined && {
    challenge: challenge.id,
    methods: challenge.methods,
    expires_in: challenge.expiresInSeconds,
  }),
});

export const envelope = (error: AppError, requestId: string) => ({
  ...present(error, requestId),
  ...(isUnknownPasskey(error) && { unknown_passkey: true as const }),
});

/** Returns the whole answer of a refusal that is made outside the router. */
export function errorResponse(error: AppError, requestId: string): Response {
  const response = Response.json(envelope(error, requestId), { status: error.status });
  if (error.retryAfterSeconds !== undefined) response.headers.set("retry-after", String(error.retryAfterSeconds));
  return response;
}
