import { pagePolicy } from "../pages/policy.ts";

const oneYearSeconds = 31_536_000;
/** The policy of pages that bring none of their own: nothing is loaded, and nobody may frame them. */
const strictPolicy = pagePolicy({ form: "'self'" });

/** Completes the headers of every answer. Headers that a route has set stay, except for the request id and `nosniff`. */
export function createResponseHeaders({ https }: { readonly https: boolean }) {
  const transportSecurity = `max-age=${oneYearSeconds}`;
  return {
    complete({ headers, status }: Response, requestId: string, closing: boolean): void {
      headers.set("x-request-id", requestId);
      headers.set("x-content-type-options", "nosniff");
      if (https) headers.set("strict-transport-security", transportSecurity);
      // Elysia sets the type of JSON and of pages; plain text has none yet.
      const type = headers.get("content-type");
      const isPage = type?.startsWith("text/html") === true;
      setDefault(headers, "referrer-policy", isPage ? "strict-origin-when-cross-origin" : "no-referrer");
      if (isPage) setDefault(headers, "content-security-policy", strictPolicy);
      // Any other answer belongs to one user, or is true only now: nobody may store it unless its route says otherwise.
      else setDefault(headers, "cache-control", "no-store");
      // The rest of a body that was too large stays unread in the connection, which can't be used again.
      if (closing || status === 413) headers.set("connection", "close");
    },
  };
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}
