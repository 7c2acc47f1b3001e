import { isSessionCookie } from "./credentials.ts";

/** Why the gate lets nobody through. */
export interface Refusal {
  readonly status: 401 | 403 | 429 | 431 | 503;
  /** One of the service's own codes. */
  readonly code: string;
  readonly cookies: readonly string[];
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
}

export const refusalOf = (status: Refusal["status"], code: string): Refusal => ({ status, code, cookies: [] });

const leastRetrySeconds = 1;
const mostRetrySeconds = 3_600;
/** How long clients wait before they ask again, where Gatehouse does not say. */
const usualRetrySeconds = 5;

export const unavailable = (code = "unavailable", retryAfterSeconds: number = usualRetrySeconds): Refusal => ({
  status: 503,
  code,
  cookies: [],
  retryAfterSeconds: Math.min(Math.max(retryAfterSeconds, leastRetrySeconds), mostRetrySeconds),
});

/** Headers for the browser. An answer with cookies of a person, or about one, is kept by no cache. */
export function headersWith(cookies: readonly string[]): Headers {
  const headers = new Headers({ "cache-control": "private, no-store" });
  for (const cookie of cookies.filter(isSessionCookie)) headers.append("set-cookie", cookie);
  return headers;
}

/** Writes a refusal in the envelope of Gatehouse, so that pages have one kind of errors to read. */
export function refuse(refusal: Refusal, challenge: string): Response {
  const { status, code, cookies, retryAfterSeconds, requestId } = refusal;
  const headers = headersWith(cookies);
  headers.set("content-type", "application/json");
  if (status === 401) headers.set("www-authenticate", challenge);
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  const error = code.replaceAll("_", " ");
  const body = { ok: false, error, code, ...(requestId !== undefined && { request_id: requestId }) };
  return new Response(JSON.stringify(body), { status, headers });
}

export function leadTo(location: string, cookies: readonly string[]): Response {
  const headers = headersWith(cookies);
  headers.set("location", location);
  return new Response(null, { status: 303, headers });
}

/** Whether a header says what caches may keep; to a CDN one of its own says more than `Cache-Control` (RFC 9213). */
export const isAboutCaching = (name: string): boolean => /(?:^|-)cache-control$|^surrogate-control$/i.test(name);
