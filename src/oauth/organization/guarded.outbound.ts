import { second } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { settle } from "../../core/pace/deadline.ts";
import { createFairTurns } from "../../core/pace/fair.turns.ts";
import { createByKey, createTurnsByKey } from "../../core/pace/turns.ts";
import { ExchangeFailure } from "../exchange/failure.ts";
import type { Outbound } from "../exchange/outbound.ts";

interface Answered {
  readonly status: number;
  readonly body: { readonly text: string; readonly isWhole: boolean };
}

/** The way out to servers that nobody has vouched for: names are looked up first, and connections go to the very address that was judged. */
export type Call = (
  origin: string,
  call: {
    readonly method: "GET" | "POST";
    readonly url: string;
    readonly allowPrivate: boolean;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly mostAnswerBytes: number;
  },
) => Promise<Answered>;

interface GuardedOptions {
  readonly call: Call;
  /** Allows requests without TLS and to private addresses. True in local and testing alone. */
  readonly plainHttp: boolean;
}

const mostBytes = 256 * 1024;
/** How long one call may take with the whole of its answer. */
const longestMs = 10 * second;

const isAnswered = (answer: unknown): answer is Answered =>
  typeof answer === "object" && answer !== null && "status" in answer && "body" in answer;

/**
 * Takes turns for the requests of all organizations. The first call of an organization has places that nobody's second call gets, a server
 * answers each of them in turn, and a site whose servers dawdle, however many it has, holds few of the places.
 */
function createOrganizationTurns() {
  const refusal = () => new AppError("unavailable", { retryAfterSeconds: 5 });
  const first = createFairTurns({ running: 32, waiting: 128, refusal });
  const further = createFairTurns({ running: 32, waiting: 128, refusal });
  const furtherOf = createTurnsByKey({ running: 3, waiting: 32, refusal });
  const firstOfSite = createTurnsByKey({ running: 8, waiting: 64, refusal });
  const atHost = createByKey(() => createFairTurns({ running: 4, waiting: 32, refusal }));
  const served = new Set<string>();

  return async function run<T>(organizationId: string, { host, hostname }: URL, work: () => Promise<T>): Promise<T> {
    // The list of public suffixes is large, and few requests need it.
    const { registrableDomain } = await import("../../core/address/public.suffix.ts");
    const site = registrableDomain(hostname) ?? hostname;
    const asked = async (): Promise<T> => {
      const end = AbortSignal.timeout(longestMs);
      const timeout = () => new ExchangeFailure("provider_timeout", { cause: end.reason });
      const answered = atHost(host, (turns) =>
        turns.run(() => (end.aborted ? Promise.reject(timeout()) : work()), { path: [organizationId] }),
      );
      return settle(answered, end, 0).catch((error: unknown) => {
        throw end.aborted ? timeout() : error;
      });
    };
    if (served.has(organizationId))
      return furtherOf.run(organizationId, () => further.run(asked, { path: [site, organizationId] }));
    served.add(organizationId);
    try {
      return await firstOfSite.run(site, () => first.run(asked, { path: [site] }));
    } finally {
      served.delete(organizationId);
    }
  };
}

/**
 * Sends requests to providers of organizations, whose addresses their owners have chosen. They reach no private address, and few are under
 * way at once, so that nobody makes this service look around its own network, or wait for slow servers with all that it has.
 */
export function createGuardedOutbound({ call, plainHttp }: GuardedOptions): (organizationId: string) => Outbound {
  const inTurn = createOrganizationTurns();

  async function ask(...[origin, request]: Parameters<Call>): Promise<Answered> {
    try {
      return await call(origin, request);
    } catch (error) {
      // An answer that is no success is one all the same: it says why the provider has refused.
      const answer = error instanceof Error && "answer" in error ? error.answer : undefined;
      if (isAnswered(answer)) return answer;
      const outcome = error instanceof Error && "outcome" in error ? error.outcome : undefined;
      const reason = outcome === "timeout" ? "provider_timeout" : "provider_unreachable";
      throw new ExchangeFailure(reason, {
        ...(outcome === "forbidden_address" && { detail: "its address is a private one" }),
        cause: error,
      });
    }
  }

  return (organizationId) =>
    async (url, { method, headers = {}, form }) => {
      const parsed = URL.parse(url);
      if (parsed === null || (!plainHttp && parsed.protocol !== "https:"))
        throw new ExchangeFailure("provider_insecure_url");
      const request = {
        method,
        url,
        allowPrivate: plainHttp,
        headers: {
          accept: "application/json",
          "user-agent": "gatehouse",
          ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
          ...headers,
        },
        ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
        mostAnswerBytes: mostBytes,
      };
      const { status, body } = await inTurn(organizationId, parsed, () => ask(parsed.origin, request));
      if (status >= 300 && status < 400) throw new ExchangeFailure("provider_redirected");
      if (!body.isWhole) throw new ExchangeFailure("provider_response_too_large");
      return { status, text: body.text };
    };
}
