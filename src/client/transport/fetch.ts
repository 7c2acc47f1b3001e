import type { createSession } from "./session.ts";
import type { Client, ClientOptions } from "../types.ts";

function pageOrigin(): string | undefined {
  const location: unknown = Reflect.get(globalThis, "location");
  return location instanceof Object && "origin" in location ? String(location.origin) : undefined;
}

const isStream = (body: unknown): body is ReadableStream => body instanceof Object && "getReader" in body;

/** Returns a request in the form in which it can be sent twice: what streams hold is read once. */
export async function repeatable(input: string | URL | Request, init: RequestInit): Promise<RequestInit> {
  const { method, headers, signal, body } = input instanceof Request ? new Request(input, init) : init;
  const whole = isStream(body) ? await new Response(body).arrayBuffer() : body;
  return {
    ...init,
    ...(method !== undefined && { method }),
    ...(signal != null && { signal }),
    headers: new Headers(headers),
    body: whole ?? null,
  };
}

/** Makes the client's own `fetch`. Proof of who is signed in goes to the origins that were named, and no token follows a redirect. */
export function createFetch(
  { origins = [], fetch = (url, init) => globalThis.fetch(url, init) }: Pick<ClientOptions, "origins" | "fetch">,
  baseUrl: string,
  mode: "include" | "omit",
  { carry }: Pick<ReturnType<typeof createSession>, "carry">,
): Client["fetch"] {
  return async (input, init = {}) => {
    const page = pageOrigin();
    const { href, origin } = new URL(input instanceof Request ? input.url : input, page);
    const named = [...origins, baseUrl, page ?? ""]
      .filter((each) => /^https?:/.test(each))
      .map((each) => new URL(each).origin);
    if (!named.includes(origin)) throw new TypeError(`${origin} is none of the origins of this client`);
    const request = await repeatable(input, init);
    const redirect = mode === "omit" && init.redirect !== "manual" ? "error" : init.redirect;
    return carry((proof) => {
      const headers = new Headers(request.headers);
      for (const [name, value] of Object.entries(proof)) headers.set(name, value);
      return fetch(href, { credentials: mode, ...request, headers, ...(redirect !== undefined && { redirect }) });
    });
  };
}
