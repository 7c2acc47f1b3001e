import { hostOf } from "../../core/address/url.parts.ts";
import { second } from "../../core/clock.ts";
import { readBounded } from "../../core/pace/stream.ts";
import { ExchangeFailure } from "./failure.ts";

export interface OutboundRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly text: string;
}

interface OutboundOptions {
  /** Allows requests without TLS. True in local and testing alone. */
  readonly plainHttp: boolean;
  /** Resolves to what the system has in the way of requests to a host, in words. */
  readonly inTheWay?: ((host: string) => Promise<string | undefined>) | undefined;
  /** The limit of the whole exchange, the body included. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/**
 * Sends every request to a provider. The addresses come from the operator, never from a client, and redirects are not followed,
 * so that no one can make the service call an address of their choice. Plain http and bad certificates are refused; time and
 * size have limits. Rejects with ExchangeFailure.
 */
export function createOutbound({
  plainHttp,
  inTheWay,
  timeoutMs = 10 * second,
  maxBytes = 1024 * 1024,
}: OutboundOptions) {
  async function read(response: Response, signal: AbortSignal): Promise<string> {
    const tooLarge = () => new ExchangeFailure("provider_response_too_large");
    return new TextDecoder().decode(await readBounded(response.body, { mostBytes: maxBytes, tooLarge, signal }));
  }

  return async function send(url: string, { method, headers = {}, form }: OutboundRequest): Promise<OutboundAnswer> {
    if (!plainHttp && URL.parse(url)?.protocol !== "https:") throw new ExchangeFailure("provider_insecure_url");
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method,
        headers: { accept: "application/json", "user-agent": "gatehouse", ...headers },
        redirect: "manual",
        signal,
        // The check is explicit, since a variable of the environment (NODE_TLS_REJECT_UNAUTHORIZED) would otherwise switch it off.
        tls: { rejectUnauthorized: true },
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        throw new ExchangeFailure("provider_redirected");
      }
      return { status: response.status, text: await read(response, signal) };
    } catch (error) {
      if (error instanceof ExchangeFailure) throw error;
      const detail = await inTheWay?.(hostOf(new URL(url)));
      throw new ExchangeFailure(signal.aborted ? "provider_timeout" : "provider_unreachable", {
        ...(detail !== undefined && { detail }),
        cause: error,
      });
    }
  };
}

export type Outbound = ReturnType<typeof createOutbound>;

/** Returns the JSON of an answer whose status is 2xx. Throws ExchangeFailure for any other answer. */
export function readJson({ status, text }: OutboundAnswer): unknown {
  if (status < 200 || status > 299) throw new ExchangeFailure("provider_status", { detail: String(status) });
  return parseJson(text);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExchangeFailure("provider_response_invalid");
  }
}
