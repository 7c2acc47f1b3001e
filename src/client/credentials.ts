import type { Outgoing } from "./transport.ts";
import type { Tabs } from "./tabs.ts";
import type { Tokens, User } from "./model.ts";
import type { TokenStorage } from "./types.ts";
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
  /** What the body of a login adds. */
  readonly delivery: { readonly delivery?: "body" };
  prove(): Promise<Proof>;
  /** Undefined when there is nothing to refresh with. */
  refreshRequest(): Promise<Outgoing<{ user: User }> | undefined>;
  /** Keeps what a sign-in or a refresh has brought. */
  keep(answer: object): Promise<void>;
  clear(): Promise<void>;
}

const refresh = { method: "POST", path: "/api/v1/auth/refresh", expects: withUser } as const;

/** The browser keeps the cookies, and no script can read them: what is known of them is when they were last replaced. */
export const createCookies = (tabs: Tabs): Credentials => ({
  mode: "include",
  delivery: {},
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
  keep: async () => undefined,
  clear: async () => undefined,
});

/** An access token that ends within this time could end on its way. */
const spareMs = 10_000;

const hasTokens = (answer: object): answer is { tokens: Tokens } => "tokens" in answer;

export const createTokens = (storage: TokenStorage): Credentials => ({
  mode: "omit",
  delivery: { delivery: "body" },
  async prove() {
    const tokens = await storage.load();
    const isReplaced = async (): Promise<boolean> => (await storage.load())?.access_token !== tokens?.access_token;
    return {
      headers: tokens === null ? {} : { authorization: `Bearer ${tokens.access_token}` },
      isSignedIn: tokens !== null,
      hasExpired: tokens !== null && tokens.access_expires_at - spareMs < Date.now(),
      isReplaced,
      mayBeReplaced: isReplaced,
    };
  },
  async refreshRequest() {
    const tokens = await storage.load();
    return tokens === null ? undefined : { ...refresh, body: { refresh_token: tokens.refresh_token } };
  },
  async keep(answer) {
    if (!hasTokens(answer)) return;
    const { tokens } = answer;
    await storage.save({ ...tokens, access_expires_at: Date.now() + tokens.expires_in * 1_000 });
  },
  clear: async () => storage.clear(),
});
