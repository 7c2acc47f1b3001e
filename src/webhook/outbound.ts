import { addressFamily } from "../core/address/address.family.ts";
import { hour, second, type Clock } from "../core/clock.ts";
import { settle } from "../core/pace/deadline.ts";
import { errorCode } from "../core/errors.ts";
import { hostOf } from "../core/address/url.parts.ts";
import { addressesOf, systemResolve, type Resolve } from "./destination.ts";
import { Undelivered, type Answer, type Beginning } from "./undelivered.ts";

export interface Delivery {
  readonly method: "POST" | "GET";
  readonly url: string;
  readonly allowPrivate: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** What a POST sends. */
  readonly body?: string;
  /** How many bytes of the answer's body are of interest. */
  readonly mostAnswerBytes: number;
  /** How long the body may take once its head is there. Default: what is left of the attempt. */
  readonly answerWithinMs?: number;
  /** Ends the attempt early when the worker stops. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundOptions {
  readonly clock: Clock;
  readonly resolve?: Resolve;
  /** The limit of one attempt in all: looking up the name, connecting, TLS, sending, and the head of the answer. */
  readonly timeoutMs?: number;
}

const longestRetryAfterMs = 6 * hour;
/** Errors after which nothing was sent yet, so the next address may be tried. */
const notConnected: ReadonlySet<string> = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);

/** Names the cause in words where an operator can act on it: a plain HTTP server behind an https URL fails as EPROTO. */
const causeOf = (error: unknown): string =>
  errorCode(error) === "EPROTO" ? "the TLS handshake failed: does it speak TLS on this port?" : errorCode(error);

/** Returns what `Retry-After` asks for, in milliseconds. The header has seconds or a date (RFC 9110 §10.2.3). */
function retryAfterOf({ headers }: Response, clock: Clock): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - clock.now();
  return ms > 0 ? Math.min(ms, longestRetryAfterMs) : undefined;
}

function judge(response: Response, body: Beginning, clock: Clock): Answer {
  const { status, headers } = response;
  const answer = { status, headers, body };
  if (status >= 200 && status <= 299) return answer;
  if (status === 410) throw new Undelivered("gone", "it answered 410: it wants no more messages", { answer });
  const what = status >= 300 && status <= 399 ? " and redirects are not followed" : "";
  const retryAfterMs = retryAfterOf(response, clock);
  throw new Undelivered("refused", `it answered ${status}${what}`, { retryAfterMs, answer });
}

/** Reads the beginning of a body, and gives the rest up. A body that ends early or breaks off counts as far as it came. */
async function beginningOf(response: Response, mostBytes: number, signal: AbortSignal): Promise<Beginning> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body === null) return { text: "", isWhole: true };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  try {
    while (size <= mostBytes && !isWhole) {
      const { done, value } = await settle(reader.read(), signal, 0);
      if (done) isWhole = true;
      else chunks.push(value);
      size += done ? 0 : value.length;
    }
  } catch {
    // What has come until then is all that there is.
  }
  void reader.cancel().catch(() => undefined);
  const bytes = Buffer.concat(chunks);
  return { text: new TextDecoder().decode(bytes.subarray(0, mostBytes)), isWhole: isWhole && size <= mostBytes };
}

/**
 * Sends to a receiver, which is not trusted: an attempt has ten seconds, of the answer's body only the beginning is read, no redirect is
 * followed, and the connection goes to the very address that was checked. Rejects with Undelivered.
 */
export function createOutbound({ clock, resolve = systemResolve, timeoutMs = 10 * second }: OutboundOptions) {
  async function call(url: URL, address: string, { method, headers, body }: Delivery, signal: AbortSignal) {
    const target = new URL(url);
    target.hostname = addressFamily(address) === 6 ? `[${address}]` : address;
    const name = url.hostname.replace(/\.$/, "");
    const response = await fetch(target, {
      method,
      ...(body !== undefined && { body }),
      headers: { ...headers, host: url.host },
      redirect: "manual",
      // A proxy that the environment names would look up the name itself.
      proxy: false,
      decompress: false,
      signal,
      // The certificate must have this name. rejectUnauthorized is explicit, since a variable of the environment
      // (NODE_TLS_REJECT_UNAUTHORIZED) would otherwise switch the check off.
      tls: { rejectUnauthorized: true, ...(addressFamily(hostOf(url)) === 0 && { serverName: name }) },
    });
    return response;
  }

  async function callAny(delivery: Delivery, signal: AbortSignal): Promise<Response> {
    const url = new URL(delivery.url);
    const addresses = await settle(addressesOf(url, resolve, delivery.allowPrivate), signal, 0);
    for (const [index, address] of addresses.entries()) {
      try {
        return await call(url, address, delivery, signal);
      } catch (error) {
        if (index === addresses.length - 1 || !notConnected.has(errorCode(error))) throw error;
      }
    }
    throw new Error("unreachable: the last address returns or throws");
  }

  /** Makes one attempt. `_origin` is for inspects, which must not record the path: a path may hold a token. */
  return async function send(_origin: string, delivery: Delivery): Promise<Answer> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = delivery.signal === undefined ? timeout : AbortSignal.any([timeout, delivery.signal]);
    let response: Response;
    try {
      response = await callAny(delivery, signal);
    } catch (error) {
      delivery.signal?.throwIfAborted();
      if (error instanceof Undelivered) throw error;
      if (timeout.aborted)
        throw new Undelivered("timeout", `it did not answer within ${timeoutMs} ms`, { cause: error });
      throw new Undelivered("unreachable", `it could not be reached (${causeOf(error)})`, { cause: error });
    }
    const { mostAnswerBytes, answerWithinMs = timeoutMs } = delivery;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
    return judge(response, await beginningOf(response, mostAnswerBytes, inTime), clock);
  };
}

export type Outbound = ReturnType<typeof createOutbound>;
