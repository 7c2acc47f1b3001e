import { addressFamily } from "../core/address/address.family.ts";
import { hour, second, type Clock } from "../core/clock.ts";
import { settle } from "../core/pace/deadline.ts";
import { errorCode } from "../core/errors.ts";
import { hostOf } from "../core/address/url.parts.ts";
import { addressesOf, systemResolve, type Resolve } from "./destination.ts";
import { Undelivered } from "./undelivered.ts";

export interface Delivery {
  readonly method: "POST";
  readonly url: string;
  readonly allowPrivate: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt early when the worker stops. */
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
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

function judge(response: Response, clock: Clock): Answer {
  const { status } = response;
  if (status >= 200 && status <= 299) return { status };
  if (status === 410) throw new Undelivered("gone", "it answered 410: it wants no more messages");
  const what = status >= 300 && status <= 399 ? " and redirects are not followed" : "";
  throw new Undelivered("refused", `it answered ${status}${what}`, { retryAfterMs: retryAfterOf(response, clock) });
}

/**
 * Sends to a receiver, which is not trusted: an attempt has ten seconds, only the status of the answer is looked at, no redirect is
 * followed, and the connection goes to the very address that was checked. Rejects with Undelivered.
 */
export function createOutbound({ clock, resolve = systemResolve, timeoutMs = 10 * second }: OutboundOptions) {
  async function post(url: URL, address: string, { method, headers, body }: Delivery, signal: AbortSignal) {
    const target = new URL(url);
    target.hostname = addressFamily(address) === 6 ? `[${address}]` : address;
    const name = url.hostname.replace(/\.$/, "");
    const response = await fetch(target, {
      method,
      body,
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
    // The body is of no interest, however long it is.
    await response.body?.cancel();
    return response;
  }

  async function postToAny(delivery: Delivery, signal: AbortSignal): Promise<Response> {
    const url = new URL(delivery.url);
    const addresses = await settle(addressesOf(url, resolve, delivery.allowPrivate), signal, 0);
    for (const [index, address] of addresses.entries()) {
      try {
        return await post(url, address, delivery, signal);
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
      response = await postToAny(delivery, signal);
    } catch (error) {
      delivery.signal?.throwIfAborted();
      if (error instanceof Undelivered) throw error;
      if (timeout.aborted)
        throw new Undelivered("timeout", `it did not answer within ${timeoutMs} ms`, { cause: error });
      throw new Undelivered("unreachable", `it could not be reached (${causeOf(error)})`, { cause: error });
    }
    return judge(response, clock);
  };
}

export type Outbound = ReturnType<typeof createOutbound>;
