import type { Origin } from "../core/audit.ts";
import { addressBucket } from "../core/address.ts";
import type { RequestFacts } from "../http/index.ts";

/** Who sent a request, as sessions, counters and the audit log see it. */
export interface Client extends Origin {
  /** What limits count by: IPv6 by /64. */
  readonly bucket: string;
}

/** Call it before the first await: a connection that has gone has no address any more. */
export const createClientOf =
  (facts: RequestFacts) =>
  (request: Request): Client => {
    const address = facts.clientAddress(request);
    return {
      address,
      bucket: addressBucket(address),
      userAgent: request.headers.get("user-agent") ?? "",
      requestId: facts.requestId(request),
    };
  };

export type ClientOf = ReturnType<typeof createClientOf>;
