import type { Outgoing } from "./transport.ts";
import type { Tabs } from "./tabs.ts";
import type { Kept, Tokens, TokenStorage, User } from "../model.ts";
import { post } from "./requests.ts";

/** The credentials of one request. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  readonly isSignedIn: boolean;
  /** True once the access token is about to end: the request would be refused, so it need not be sent. */
  readonly hasExpired: boolean;
  /** Resolves to whether the credentials are known to have been replaced since. */
  isReplaced(): Promise<boolean>;
  /** Resolves to whether the credentials may have been replaced, perhaps by a page that gives no notice. */
  mayBeReplaced(): Promise<boolean>;
}

/** How a client shows on whose behalf it acts. */
export interface Credentials {
  readonly mode: "include" | "omit";
  /** Resolves to the body of a request that may sign in. The body says how the session is to be handed over. */
  signingIn(body: object): Promise<object>;
  prove(): Promise<Proof>;
  /** Resolves to undefined where there is nothing to refresh with. */
  refreshRequest(): Promise<Outgoing<{ user: User }> | undefined>;
  /** Takes the credentials out of the answer to a sign-in or a refresh, and keeps them. */
  keep(answer: object): Promise<void>;
  drop(): Promise<void>;
}

const refreshWith = (body?: object): Outgoing<{ user: User }> => post("refresh", "user", body);

/** The browser keeps the cookies, and no script can read them. All that a script knows of them is when they were last replaced. */
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
  // `keepalive`: a page that is left before the answer would lose the new cookies, when the old ones are worth nothing any more.
  refreshRequest: async () => ({ ...refreshWith(), keepalive: true }),
  keep: async () => tabs.noteReplaced(),
  drop: async () => undefined,
});

/** An access token that ends within this time could end on its way to the service. */
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
      return session === undefined ? undefined : refreshWith({ refresh_token: session.refresh_token });
    },
    async keep(answer) {
      if (!hasTokens(answer)) return;
      const { tokens, device_token = (await load()).device_token } = answer;
      // Apps log results, and a log must not hold the tokens.
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
