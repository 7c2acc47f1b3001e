import type { Outgoing } from "./transport.ts";
import type { Tabs } from "./tabs.ts";
import type { Tokens, User } from "./model.ts";
import type { Kept, TokenStorage } from "./model.ts";
import { withUser } from "./answers.ts";

/** By what one request is sent. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  readonly isSignedIn: boolean;
  /** Known to be no good any more, so that the request need not be sent. */
  readonly hasExpired: boolean;
  /** Whether it is known that the credentials have been replaced since. */
  isReplaced(): Promise<boolean>;
  /** Whether they may have been, by somebody who can't be heard of. */
  mayBeReplaced(): Promise<boolean>;
}

/** How a client shows who it acts for. */
export interface Credentials {
  readonly mode: "include" | "omit";
  /** The body of a request that may sign in, with how the session is to be handed over. */
  signingIn(body: object): Promise<object>;
  prove(): Promise<Proof>;
  /** Undefined when there is nothing to refresh with. */
  refreshRequest(): Promise<Outgoing<{ user: User }> | undefined>;
  /** Takes what a sign-in or a refresh has brought out of its answer, and keeps it. */
  keep(answer: object): Promise<void>;
  drop(): Promise<void>;
}

const refresh = { method: "POST", path: "/api/v1/auth/refresh", expects: withUser } as const;

/** The browser keeps the cookies, and no script can read them: what is known of them is when they were last replaced. */
export const createCookies = (tabs: Tabs): Credentials => ({
  mode: "include",
  signingIn: async (body) => body,
  async prove() {
    const provenAt = Date.now();
    return {
      headers: {},
      isSignedIn: false,
      hasExpired: false,
      isReplaced: () => tabs.replacedSince(provenAt),
      mayBeReplaced: async () => true,
    };
  },
  // A page that is left meanwhile would lose the new cookies, and the old ones are worth nothing by then.
  refreshRequest: async () => ({ ...refresh, keepalive: true }),
  keep: async () => tabs.noteReplaced(),
  drop: async () => undefined,
});

/** An access token that ends within this time could end on its way. */
const spareMs = 10_000;

const hasTokens = (answer: object): answer is { tokens: Tokens; device_token?: string } => "tokens" in answer;

export function createTokens(storage: TokenStorage): Credentials {
  const load = async (): Promise<Kept> => (await storage.load()) ?? {};

  return {
    mode: "omit",
    async signingIn(body) {
      const { device_token } = await load();
      return { ...body, delivery: "body", ...(device_token !== undefined && { device_token }) };
    },
    async prove() {
      const { session } = await load();
      const isReplaced = async (): Promise<boolean> => (await load()).session?.refresh_token !== session?.refresh_token;
      return {
        headers: session === undefined ? {} : { authorization: `Bearer ${session.access_token}` },
        isSignedIn: session !== undefined,
        hasExpired: session !== undefined && session.access_expires_at - spareMs < Date.now(),
        isReplaced,
        mayBeReplaced: isReplaced,
      };
    },
    async refreshRequest() {
      const { session } = await load();
      return session === undefined ? undefined : { ...refresh, body: { refresh_token: session.refresh_token } };
    },
    async keep(answer) {
      if (!hasTokens(answer)) return;
      const { tokens, device_token = (await load()).device_token } = answer;
      // What an app logs of a result must not hold them.
      Reflect.deleteProperty(answer, "tokens");
      Reflect.deleteProperty(answer, "device_token");
      const session = { ...tokens, access_expires_at: Date.now() + tokens.expires_in * 1_000 };
      await storage.save({ session, ...(device_token !== undefined && { device_token }) });
    },
    async drop() {
      const { device_token } = await load();
      await (device_token === undefined ? storage.clear() : storage.save({ device_token }));
    },
  };
}
