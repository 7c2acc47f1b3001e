import { createGate, type GateNeeds, type GateOptions, type GateUser } from "./gate.ts";
import { isAboutCaching } from "./gate/answers.ts";

/** What is used of the events of SvelteKit, in any of its versions. */
export interface KitEvent {
  readonly request: Request;
  readonly locals: {
    /** Who is calling; null where nobody is signed in. */
    user: GateUser | null;
  };
  getClientAddress(): string;
}

export interface GatehouseOptions extends GateOptions {
  /** What every request needs. Default: strangers pass. */
  readonly needs?: GateNeeds;
}

interface HandleInput<Event extends KitEvent> {
  readonly event: Event;
  readonly resolve: (event: Event) => Response | Promise<Response>;
}

/** A hook of the server, `handle` in `hooks.server.ts`: says for every request who is calling, in `event.locals.user`. */
export type GatehouseHandle = <Event extends KitEvent>(input: HandleInput<Event>) => Promise<Response>;

/** Makes the hook. No cache keeps an answer for which `locals.user` was looked at, or one with cookies. */
export function gatehouse({ needs = { optional: true }, ...options }: GatehouseOptions): GatehouseHandle {
  const gate = createGate(options);
  return async ({ event, resolve }) => {
    const { request, locals } = event;
    // A page that is made ahead has no client, and no cookies either.
    const clientAddress = request.headers.has("cookie") ? event.getClientAddress() : undefined;
    const { user, headers, response } = await gate(request, { clientAddress, ...needs });
    if (response !== undefined) return response;
    let isPersonal = headers.has("set-cookie");
    Object.defineProperty(locals, "user", {
      enumerable: true,
      get() {
        isPersonal = true;
        return user;
      },
    });
    const resolved = await resolve(event);
    if (!isPersonal) return resolved;
    const answer = new Response(resolved.body, resolved);
    for (const name of [...answer.headers.keys()].filter(isAboutCaching)) answer.headers.delete(name);
    answer.headers.set("cache-control", headers.get("cache-control") ?? "private, no-store");
    for (const cookie of headers.getSetCookie()) answer.headers.append("set-cookie", cookie);
    return answer;
  };
}
