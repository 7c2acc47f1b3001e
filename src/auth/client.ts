import type { By, Origin } from "../core/audit.ts";
import { addressBuckets } from "../core/address/address.ts";
import type { Clock } from "../core/clock.ts";
import type { Place } from "../core/pace/fair.turns.ts";
import { createNews } from "../core/pace/news.ts";
import { preferredLocale, readCookie, readCookies, type RequestFacts } from "../http/index.ts";
import type { Log } from "../observe/index.ts";

/** The sender of a request, as sessions, counters and the audit log see it. */
export interface Client extends Origin {
  /** The block of addresses that limits count by: IPv6 by /64. */
  readonly bucket: string;
  /** The larger blocks around the address, the smallest first: limits count by them as well, and they take turns. */
  readonly areas: readonly string[];
  /** Whether the address is that of a proxy on this host which the settings don't name: many people may be behind it. */
  readonly isForgottenProxy: boolean;
  /** What the browser shows of a provider's word for an account; undefined nearly always. See flow/vouchers.ts. */
  readonly vouched?: string | undefined;
  /** The browser's proofs of earlier sign-ins; undefined where it could not show any, as with a form of another site. */
  readonly devices?: readonly string[] | undefined;
  /** The language that the browser wants most (BCP 47), for an account without a language of its own. */
  readonly locale: string | null;
}

/** Returns the place that a client takes where passwords are hashed. `provenFor`: the account for which it has proven something, if any. */
export const placeOf = ({ bucket, areas }: Pick<Client, "bucket" | "areas">, provenFor?: string): Place => ({
  path: [...areas.toReversed(), bucket],
  provenFor,
});

/** The place of a caller who looks after accounts: staff by their own account, a service by its name. */
export function placeOfActor(by: By): Place {
  const provenFor = by.actor === "staff" ? by.userId : by.actor === "service" ? `service|${by.service}` : by.actor;
  return { path: [provenFor], provenFor };
}

interface ClientOptions {
  readonly facts: RequestFacts;
  /** The name of the cookie with a provider's word; undefined where no provider gives one. */
  readonly voucherCookie?: string | undefined;
  /** The cookies with a browser's proofs of earlier sign-ins, and how many of them count. */
  readonly deviceCookies: { readonly name: string; readonly most: number };
  /** Called for each request that came by a forgotten proxy. */
  readonly onForgottenProxy: () => void;
}

/** Reads the client of a request. Call it before the first await: a connection that has gone has no address any more. */
export const createClientOf =
  ({ facts, voucherCookie, deviceCookies, onForgottenProxy }: ClientOptions) =>
  (request: Request): Client => {
    const isForgottenProxy = facts.isForgottenProxy(request);
    if (isForgottenProxy) onForgottenProxy();
    const requestId = facts.requestId(request);
    const locale = preferredLocale(request);
    const address = facts.clientAddress(request);
    const [bucket, ...areas] = addressBuckets(address);
    const userAgent = request.headers.get("user-agent") ?? "";
    const devices = readCookies(request, deviceCookies.name, deviceCookies.most);
    const client = { address, bucket, areas, isForgottenProxy, devices, locale, userAgent, requestId };
    const vouched = voucherCookie === undefined ? undefined : readCookie(request, voucherCookie);
    return vouched === undefined ? client : { ...client, vouched };
  };

interface ProxyWarningOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly count: () => void;
}

/** Counts the requests that come by a forgotten proxy, and warns of it once a minute at most. */
export function createProxyWarning({ log, clock, count }: ProxyWarningOptions): () => void {
  const isNews = createNews(clock);
  return () => {
    count();
    if (isNews("forgotten proxy"))
      log.warn("a proxy on this host is not in API_TRUSTED_PROXIES: all of its clients count as one address");
  };
}

export type ClientOf = ReturnType<typeof createClientOf>;
