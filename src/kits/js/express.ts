import {
  createGate,
  isDemanding,
  type GateNeeds,
  type GateOptions,
  type GateRequest,
  type GateResult,
  type GateUser,
} from "./gate.ts";
import { keepFromCaches } from "./gate/node.ts";

declare global {
  namespace Express {
    interface User extends GateUser {}
    interface Request {
      /** Who is calling; undefined where nobody is signed in. */
      user?: User | undefined;
    }
  }
}

type Ask = (needs: GateNeeds) => Promise<GateResult<GateUser | null>>;
/** Under which a request has the way to ask about it once more. */
const asking: unique symbol = Symbol("gatehouse");

/** What is used of Express's requests and answers, in any of its versions. */
export interface GateAsked {
  method: string;
  originalUrl: string;
  protocol: string;
  headers: Record<string, string | string[] | undefined>;
  socket: { remoteAddress?: string | undefined };
  [asking]?: Ask;
}
export interface GateAnswering {
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  appendHeader(name: string, value: string | readonly string[]): unknown;
  getHeaderNames(): string[];
  removeHeader(name: string): void;
  writeHead(...given: never[]): unknown;
  end(body: string): unknown;
}
export type GateHandler<Asked extends GateAsked = GateAsked> = (
  asked: Asked,
  answer: GateAnswering,
  next: (error?: unknown) => void,
) => Promise<void>;

export interface GatehouseOptions extends GateOptions {
  /** What every request needs. Default: strangers pass. */
  readonly needs?: GateNeeds;
}

const read = ({ method, protocol, originalUrl, headers }: GateAsked): GateRequest => ({
  method,
  url: `${protocol}://${String(headers["host"] ?? "localhost")}${originalUrl}`,
  headers: { get: (name) => headers[name]?.toString() ?? null },
});

function handOn(answer: GateAnswering, headers: Headers): void {
  for (const [name, value] of headers) if (name !== "set-cookie") answer.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length === 0) return;
  answer.appendHeader("set-cookie", cookies);
  // A route may want its answer cached: not with cookies of a person.
  keepFromCaches(answer, () => true);
}

function handlerBy<Asked extends GateAsked>(
  askOf: (asked: Asked) => Ask,
  needsOf: (asked: Asked) => GateNeeds | Promise<GateNeeds>,
): GateHandler<Asked> {
  return async (asked, answer, next) => {
    try {
      const ask = askOf(asked);
      const { user, headers, response } = await ask(await needsOf(asked));
      const handed = headers ?? response.headers;
      // Where the app has asked before, the browser has been handed its new cookies already.
      if (asked[asking] !== undefined) handed.delete("set-cookie");
      handOn(answer, handed);
      if (response !== undefined) {
        answer.statusCode = response.status;
        return void answer.end(await response.text());
      }
      const askAgain: Ask = async (more) => (user !== null && !isDemanding(more) ? { user, headers } : ask(more));
      Object.assign(asked, { [asking]: askAgain, user: user ?? undefined });
    } catch (error) {
      return next(error);
    }
    next();
  };
}

/** Says for every request who is calling, in `request.user`. */
export function gatehouse({ needs = { optional: true }, ...options }: GatehouseOptions): GateHandler {
  const gate = createGate(options);
  const askOf = (asked: GateAsked): Ask => {
    const address = { clientAddress: asked.socket.remoteAddress ?? "" };
    return (more) => gate(read(asked), { ...address, ...more });
  };
  return handlerBy(askOf, () => needs);
}

/**
 * Guards a route behind `app.use(gatehouse(…))`: the person who is calling has to be signed in, and to have what is needed. A function says
 * what that is where it depends on the request.
 */
export const requireUser = <Asked extends GateAsked>(
  needs: GateNeeds | ((asked: Asked) => GateNeeds | Promise<GateNeeds>) = {},
): GateHandler<Asked> =>
  handlerBy(
    (asked) => {
      const ask = asked[asking];
      if (ask === undefined) throw new Error("requireUser() comes after app.use(gatehouse({ baseUrl }))");
      return ask;
    },
    // What guards a route is never optional, though its needs may be shared with a place where they are.
    async (asked) => ({ ...(typeof needs === "function" ? await needs(asked) : needs), optional: false }),
  );
