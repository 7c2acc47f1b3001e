import { addressBucket, type RequestFacts } from "../http/index.ts";

/** Who sent a request, as sessions and counters see it. `bucket` is what limits count by: IPv6 by /64. */
export const createClientOf =
  (facts: RequestFacts) =>
  (request: Request): { address: string; bucket: string; userAgent: string } => {
    const address = facts.clientAddress(request);
    return { address, bucket: addressBucket(address), userAgent: request.headers.get("user-agent") ?? "" };
  };

export type ClientOf = ReturnType<typeof createClientOf>;
