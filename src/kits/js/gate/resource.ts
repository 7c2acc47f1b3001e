import type { GateOptions, GateRequest } from "./types.ts";

/** The address of a request, whether it is whole or a path. Clients may send what is neither, and an app must not end by it. */
export function addressOf({ url }: GateRequest): URL {
  const base = "http://localhost";
  try {
    // A path that begins with two slashes is one all the same, and names no host.
    return new URL(url.startsWith("/") ? `${base}${url}` : url);
  } catch {
    return new URL(base);
  }
}

interface DescribedResource {
  readonly url: string;
  /** Where the description is, for the challenge of a 401. */
  readonly metadata: string;
  answer(request: GateRequest): Response | undefined;
}

/** Describes a resource to programs, so that they find the service whose tokens open it (RFC 9728). */
export function createResource(resource: GateOptions["resource"], issuer: string): DescribedResource | undefined {
  if (resource === undefined) return undefined;
  const { url, name, scopes } = typeof resource === "string" ? { url: resource } : resource;
  const { origin, pathname } = new URL(url);
  const path = `/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
  const description = JSON.stringify({
    resource: url,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    ...(name !== undefined && { resource_name: name }),
    ...(scopes !== undefined && { scopes_supported: scopes }),
  });
  // Programs in browsers read it from anywhere: it is the same for everybody.
  const open = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

  return {
    url,
    metadata: `${origin}${path}`,
    answer(request) {
      if (addressOf(request).pathname !== path) return undefined;
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: open });
      if (request.method !== "GET" && request.method !== "HEAD")
        return new Response(null, { status: 405, headers: { ...open, allow: "GET, HEAD, OPTIONS" } });
      const headers = { ...open, "content-type": "application/json", "cache-control": "public, max-age=300" };
      return new Response(request.method === "GET" ? description : null, { headers });
    },
  };
}
