import type { LocalCode, ServerCode } from "../codes.ts";
import type { Failure, Result } from "../result.types.ts";
import type { ClientOptions } from "../types.ts";
import type { Deadline } from "./deadline.ts";

export interface Outgoing<T> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Whether the body of a 200 is an answer of the route. */
  readonly expects: (body: object) => body is object & T;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Lets the request outlive the page that sends it. */
  readonly keepalive?: boolean;
}

const sentences: Readonly<Record<LocalCode, string>> = {
  network: "the service could not be reached",
  timeout: "the service did not answer in time",
  aborted: "the call was aborted",
  invalid_response: "the answer is not the service's",
};

export const localFailure = (code: LocalCode, status = 0): Failure => ({
  ok: false,
  code,
  error: sentences[code],
  status,
});

/** Every request that may change something has this type, even without a body: a page of another origin can send a form, and no form has this type. */
const json = { "content-type": "application/json" };

/** Returns a function that sends one request and waits for the whole answer. Every failure is a value; nothing is thrown. */
export function createSend(
  { fetch = (url, init) => globalThis.fetch(url, init) }: Pick<ClientOptions, "fetch">,
  baseUrl: string,
  credentials: "include" | "omit",
) {
  return async <T>(request: Outgoing<T>, deadline: Deadline): Promise<Result<T>> => {
    const { method, path, expects, headers, keepalive = false } = request;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    try {
      const response = await fetch(baseUrl + path, {
        method,
        credentials,
        keepalive,
        headers: { accept: "application/json", ...(method !== "GET" && json), ...headers },
        body,
        redirect: "error",
        signal: deadline.signal,
      });
      return read(response, await response.text(), expects);
    } catch {
      return localFailure(deadline.passed() ?? "network");
    }
  };
}

export type Send = ReturnType<typeof createSend>;

interface Refusal extends Pick<Failure, "error" | "fields" | "detail" | "challenge" | "methods" | "redirect"> {
  readonly code: ServerCode;
  readonly request_id?: string;
  readonly expires_in?: number;
  readonly unknown_passkey?: true;
}

const isRefusal = (body: unknown): body is Refusal =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string" && "error" in body;

function read<T>(response: Response, text: string, expects: Outgoing<T>["expects"]): Result<T> {
  const { ok, status, headers } = response;
  const isText = headers.get("content-type")?.startsWith("text/plain") === true;
  const body: unknown = isText ? { text } : status === 204 ? { ok: true } : parse(text);
  const etag = headers.get("etag");
  if (ok && typeof body === "object" && body !== null && expects(body))
    return { ...body, ...(etag !== null && { etag }), ok: true };
  const seconds = Number.parseInt(headers.get("retry-after") ?? "", 10);
  const retryAfter = Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds };
  return ok || !isRefusal(body)
    ? { ...localFailure("invalid_response", status), ...(isAway(status) && { code: "unavailable" }), ...retryAfter }
    : { ...refusal(body, status), ...retryAfter };
}

/** Statuses that a proxy answers by itself when the service behind it is not there. */
const isAway = (status: number): boolean => status >= 502 && status <= 504;

function refusal(body: Refusal, status: number): Failure {
  const {
    code,
    error,
    fields,
    detail,
    request_id: requestId,
    challenge,
    methods,
    redirect,
    expires_in: expires,
    unknown_passkey: unknownPasskey,
  } = body;
  return {
    ok: false,
    code,
    error,
    status,
    ...(fields && { fields }),
    ...(detail !== undefined && { detail }),
    ...(requestId !== undefined && { requestId }),
    ...(challenge !== undefined && { challenge }),
    ...(redirect !== undefined && { redirect }),
    ...(methods && { methods }),
    ...(expires !== undefined && { expiresInSeconds: expires }),
    ...(unknownPasskey && { unknownPasskey }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
