import type { Context, MiddlewareHandler } from "hono";
import { createGate, isDemanding, type GateNeeds, type GateOptions, type GateResult, type GateUser } from "./gate.ts";
import { isAboutCaching } from "./gate/answers.ts";

/** Asks about the request at hand, for a route that finds out late what it needs. */
export type AskAgain = (needs?: GateNeeds & { readonly optional?: false }) => Promise<GateResult>;

/** The variables of an app: `new Hono<GateEnv>()`. */
export interface GateEnv {
  Variables: {
    /** Who is calling; null where nobody is signed in. */
    user: GateUser | null;
    gate: AskAgain;
  };
}
/** The variables behind `requireUser()`. */
export interface SignedInEnv {
  Variables: { user: GateUser; gate: AskAgain };
}

export interface GatehouseOptions extends GateOptions {
  /** What every request needs. Default: strangers pass. */
  readonly needs?: GateNeeds;
  /** Tells the address at the other end of the connection, which depends on what Hono runs on. */
  readonly clientAddress?: (context: Context) => string | undefined;
}

/** Hands the headers on with whatever the app answers. No cache may keep an answer that has cookies of a person. */
function handOn(context: Context, headers: Headers): void {
  const cookies = headers.getSetCookie();
  const kept = cookies.length > 0 ? [...context.res.headers.keys()].filter(isAboutCaching) : [];
  for (const name of kept) context.header(name, undefined);
  if (cookies.length > 0 || !context.res.headers.has("cache-control"))
    context.header("cache-control", headers.get("cache-control") ?? undefined);
  for (const cookie of cookies) context.header("set-cookie", cookie, { append: true });
}

/** Says for every request who is calling, in `c.get("user")`. */
export function gatehouse(options: GatehouseOptions): MiddlewareHandler<GateEnv> {
  const { needs = { optional: true }, clientAddress, ...rest } = options;
  const gate = createGate(rest);
  return async (context, next) => {
    const address = { clientAddress: clientAddress?.(context) };
    const { user, headers, response } = await gate(context.req.raw, { ...address, ...needs });
    if (response !== undefined) return response;
    context.set("user", user);
    context.set("gate", async (more = {}) =>
      user !== null && !isDemanding(more) ? { user, headers } : gate(context.req.raw, { ...address, ...more }),
    );
    await next();
    return handOn(context, headers);
  };
}

/**
 * Guards a route behind `app.use(gatehouse(…))`: the person who is calling has to be signed in, and to have what is needed. A function says
 * what that is where it depends on the request.
 */
export const requireUser =
  (needs: GateNeeds | ((context: Context) => GateNeeds | Promise<GateNeeds>) = {}): MiddlewareHandler<SignedInEnv> =>
  async (context, next) => {
    const needed = typeof needs === "function" ? await needs(context) : needs;
    const { user, response } = await context.get("gate")({ ...needed, optional: false });
    if (response !== undefined) {
      // Those of the first question are handed on already.
      response.headers.delete("set-cookie");
      return response;
    }
    context.set("user", user);
    return next();
  };
