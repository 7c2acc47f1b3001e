import { createGate, type Gate, type GateNeeds, type GateOptions, type GateRequest, type GateUser } from "./gate.ts";

declare global {
  namespace Express {
    interface User extends GateUser {}
    interface Request {
      /** Who is calling; undefined where nobody is signed in. */
      user?: User | undefined;
    }
  }
}

const gateOf: unique symbol = Symbol("gatehouse");

/** What is used of Express's requests and answers, in any of its versions. */
export interface GateAsked {
  method: string;
  originalUrl: string;
  protocol: string;
  headers: Record<string, string | string[] | undefined>;
  socket: { remoteAddress?: string | undefined };
  [gateOf]?: Gate;
}
export interface GateAnswering {
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  appendHeader(name: string, value: string | readonly string[]): unknown;
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
  const { writeHead } = answer;
  answer.writeHead = (...given: never[]): unknown => {
    answer.setHeader("cache-control", "private, no-store");
    return writeHead.apply(answer, given);
  };
}

function handlerBy<Asked extends GateAsked>(gateFor: (asked: Asked) => Gate, needsOf: (asked: Asked) => GateNeeds) {
  return async (asked: Asked, answer: GateAnswering, next: (error?: unknown) => void): Promise<void> => {
    try {
      const gate = gateFor(asked);
      const clientAddress = asked.socket.remoteAddress ?? "";
      const { user, headers, response } = await gate(read(asked), { clientAddress, ...needsOf(asked) });
      const handed = headers ?? response.headers;
      // Where the app has asked before, the browser has been handed its new cookies already.
      if (asked[gateOf] !== undefined) handed.delete("set-cookie");
      handOn(answer, handed);
      if (response === undefined) {
        Object.assign(asked, { [gateOf]: gate, user: user ?? undefined });
        return next();
      }
      answer.statusCode = response.status;
      answer.end(await response.text());
    } catch (error) {
      next(error);
    }
  };
}

/** Says for every request who is calling, in `request.user`. */
export function gatehouse({ needs = { optional: true }, ...options }: GatehouseOptions): GateHandler {
  const gate = createGate(options);
  return handlerBy(
    () => gate,
    () => needs,
  );
}

/**
 * Guards a route behind `app.use(gatehouse(…))`: the person who is calling has to be signed in, and to have what is needed. A function says
 * what that is where it depends on the request.
 */
export const requireUser = <Asked extends GateAsked>(
  needs: GateNeeds | ((asked: Asked) => GateNeeds) = {},
): GateHandler<Asked> =>
  handlerBy(
    (asked) => {
      if (asked[gateOf] === undefined) throw new Error("requireUser() comes after app.use(gatehouse({ baseUrl }))");
      return asked[gateOf];
    },
    (asked) => (typeof needs === "function" ? needs(asked) : needs),
  );
