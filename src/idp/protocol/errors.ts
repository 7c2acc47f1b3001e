import type { AppError } from "../../core/errors.ts";
import type { OAuthCode, ProgramFlaw } from "../../core/people/program.flaws.ts";
import { toAppError } from "../../http/index.ts";

/** The HTTP status of a code where a program gets it; 400 for every other one. */
const statuses: Partial<Readonly<Record<OAuthCode, number>>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  server_error: 500,
  temporarily_unavailable: 503,
};

/** A refusal in the form of RFC 6749. The description repeats nothing that was sent. */
export class OAuthError extends Error {
  readonly code: OAuthCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  /** Why, for logs, audit rows and inspects. */
  readonly why: ProgramFlaw | undefined;

  constructor(
    code: OAuthCode,
    description: string,
    details: {
      readonly status?: number;
      readonly retryAfterSeconds?: number | undefined;
      readonly why?: ProgramFlaw | undefined;
    } = {},
  ) {
    super(description);
    this.name = "OAuthError";
    this.code = code;
    this.status = details.status ?? statuses[code] ?? 400;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.why = details.why;
  }
}

export const invalidRequest = (description: string, why?: ProgramFlaw): OAuthError =>
  new OAuthError("invalid_request", description, { why });
export const invalidGrant = (description: string, why: ProgramFlaw): OAuthError =>
  new OAuthError("invalid_grant", description, { why });

export const limited = (retryAfterSeconds: number | undefined): OAuthError =>
  new OAuthError("temporarily_unavailable", "Too many requests.", {
    status: 429,
    retryAfterSeconds,
    why: "rate_limited",
  });

/** Returns the refusal of RFC 6749 for a thrown error; the error itself where it is a fault of ours, with its cause. */
export function toOAuthError(error: unknown): OAuthError | AppError {
  if (error instanceof OAuthError) return error;
  const refusal = toAppError(error);
  const { status, retryAfterSeconds, message } = refusal;
  if (refusal.reason === "rate_limited") return limited(retryAfterSeconds);
  if (refusal.reason === "denied_by_hook") return new OAuthError("access_denied", message, { why: "denied_by_hook" });
  if (status === 413 || status === 415 || status === 400)
    return new OAuthError("invalid_request", refusal.detail ?? message, { status: status === 413 ? 413 : 400 });
  return refusal;
}
