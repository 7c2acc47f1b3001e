import { errorCode } from "../../core/errors.ts";
import { readBounded } from "../../core/pace/stream.ts";
import { operatorHeader } from "../../core/people/operators.ts";
import type { ProbeTarget } from "../app/environment.ts";

/** Codes of a refused connection. The runtime has its own besides the system's. */
const refused: ReadonlySet<string> = new Set(["ECONNREFUSED", "ConnectionRefused"]);
const largestAnswer = 64 * 1024;

export interface Call {
  readonly url: URL;
  readonly method?: "GET" | "POST";
  /** Sent as a bearer token, unless it is empty. */
  readonly token: string;
  readonly timeoutMs: number;
  /** The person who runs the command, for the audit log of the app. */
  readonly operator?: string | undefined;
}

/**
 * Sends one request to a live app, with one deadline for all of it and a bounded answer. A redirect is returned, not followed, so that the
 * token goes to the named host only. Rejects if no whole answer came: see `explain`.
 */
export async function call({ url, method = "GET", token, timeoutMs, operator }: Call) {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method,
    redirect: "manual",
    // A proxy from the environment would see the token.
    proxy: false,
    signal,
    headers: {
      accept: "application/json",
      connection: "close",
      ...(token !== "" && { authorization: `Bearer ${token}` }),
      ...(operator !== undefined && { [operatorHeader]: operator }),
    },
  });
  const tooLarge = () => new Error(`the answer is larger than ${largestAnswer} bytes`);
  const bytes = await readBounded(response.body, { mostBytes: largestAnswer, tooLarge, signal });
  return { ok: response.ok, status: response.status, text: new TextDecoder().decode(bytes) };
}

export function explain(error: unknown, timeoutMs: number): string {
  const timedOut = error instanceof Error && error.name === "TimeoutError";
  if (refused.has(errorCode(error))) return "nobody listens there";
  return timedOut ? `no answer within ${timeoutMs} ms` : error instanceof Error ? error.message : String(error);
}

/**
 * Returns the address of the app for programs on the same host: loopback, in IPv6 if the app listens on that alone. The maintenance control
 * answers under no other address.
 */
export const ownAddress = ({ host, port }: Pick<ProbeTarget, "host" | "port">): URL =>
  new URL(`http://${host === "::1" ? "[::1]" : "127.0.0.1"}:${port}`);
