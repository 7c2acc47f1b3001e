// A stand-in with the names of the typed client, until that one is part of this tree.

export interface Failure {
  readonly ok: false;
  readonly code: string;
  readonly status: number;
  readonly fields?: Readonly<Record<string, { readonly code: string; readonly message: string }>>;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly pending_email: string | null;
  readonly display_name: string;
  readonly avatar_url: string | null;
  readonly email_verified_at: string | null;
  readonly last_login_at: string | null;
  readonly timezone: string | null;
  readonly locale: string | null;
  readonly created_at: string;
  readonly has_password: boolean;
}

export type Result<T = unknown> = ({ readonly ok: true } & T) | Failure;

interface ApiOptions {
  readonly base: string;
  /** Called with how each request ended: undefined for a success. */
  readonly heard: (failure: Failure | undefined) => void;
}

const timeoutMs = 20_000;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isSuccess = <T>(body: unknown): body is Extract<Result<T>, { ok: true }> => isObject(body) && body["ok"] === true;
const isRefusal = (body: unknown): body is { readonly code: string; readonly fields?: Failure["fields"] } =>
  isObject(body) && typeof body["code"] === "string";

export type Api = ReturnType<typeof createApi>;

export function createApi({ base, heard }: ApiOptions) {
  async function ask<T>(method: "GET" | "POST", path: string, body?: object): Promise<Result<T>> {
    const result = await send<T>(method, path, body);
    heard(result.ok ? undefined : result);
    return result;
  }

  async function send<T>(method: "GET" | "POST", path: string, body?: object): Promise<Result<T>> {
    try {
      const response = await fetch(`${base}/api/v1/auth${path}`, {
        method,
        headers: { accept: "application/json", ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        cache: "no-store",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer: unknown = await response.json().catch(() => undefined);
      if (isSuccess<T>(answer)) return answer;
      const { status, headers } = response;
      if (!isRefusal(answer)) return { ok: false, code: status >= 502 ? "unavailable" : "invalid_response", status };
      const seconds = Number(headers.get("retry-after") ?? Number.NaN);
      return {
        ok: false,
        code: answer.code,
        status,
        ...(answer.fields && { fields: answer.fields }),
        ...(headers.has("x-request-id") && { requestId: headers.get("x-request-id") ?? "" }),
        ...(!Number.isNaN(seconds) && { retryAfterSeconds: seconds }),
      };
    } catch (error) {
      const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
      return { ok: false, code: isTimeout ? "timeout" : "network", status: 0 };
    }
  }

  return {
    login: (body: { login: string; password: string; remember: boolean }) =>
      ask<{ user: User }>("POST", "/login", body),
    register: (body: { email: string; password: string; display_name?: string }) =>
      ask<{ user?: User; requires_email_verification?: true }>("POST", "/register", body),
    logout: () => ask("POST", "/logout"),
    getMe: () => ask<{ user: User }>("GET", "/me"),
    requestPasswordReset: (body: { login: string }) =>
      ask<{ reset_token?: string }>("POST", "/password-reset/request", body),
    confirmPasswordReset: (body: { token: string; new_password: string }) =>
      ask("POST", "/password-reset/confirm", body),
    confirmEmailVerification: (body: { token: string }) =>
      ask<{ user: User }>("POST", "/email-verification/confirm", body),
    rejectEmailVerification: (body: { token: string }) => ask("POST", "/email-verification/reject", body),
    undoEmailChange: (body: { token: string }) => ask("POST", "/email-change/undo", body),
  };
}
