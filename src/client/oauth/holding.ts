import type { ProgramResult, ProgramStorage, ProgramTokens } from "../oauth.types.ts";
import { within } from "../transport/deadline.ts";
import { createTabs } from "../transport/tabs.ts";
import { failure, type Exchange } from "./exchange.ts";

/** An access token that ends sooner is not handed out: its request would still be under way. */
const leastLeftMs = 30_000;
const isGood = (tokens: ProgramTokens): boolean => tokens.expiresAt - leastLeftMs > Date.now();

interface HoldingOptions extends Pick<Exchange, "tokensBy"> {
  /** Names the service and the program, for the locks that its tabs share. */
  readonly name: string;
  readonly storage: ProgramStorage;
  readonly timeoutMs: number;
}

/** Holds the tokens of a program, and refreshes them. */
export function createHolding({ tokensBy, name, storage, timeoutMs }: HoldingOptions) {
  const tabs = createTabs(name);
  /** Tokens for audiences, which end with the page. */
  const held = new Map<string, ProgramTokens>();
  const pending = new Map<string | undefined, Promise<ProgramResult<{ tokens: ProgramTokens }>>>();
  /** Counts sign-ins and sign-outs: what was asked for before one is not kept after it. */
  let epoch = 0;
  let turn: Promise<unknown> = Promise.resolve();

  async function keep(tokens: ProgramTokens | undefined): Promise<void> {
    epoch += 1;
    held.clear();
    await storage.save(tokens);
  }

  /** Swaps the refresh token, for the token of one audience or for one for all of them. Another tab may have done so while this one waited. */
  async function refresh(audience: string | undefined): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const began = epoch;
    const tokens = await storage.load();
    if (tokens === undefined) return failure("signed_out", "nobody is signed in");
    if (audience === undefined && isGood(tokens)) return { ok: true, tokens };
    if (tokens.refreshToken === undefined) return failure("signed_out", "the sign-in has run out");
    const swap = { grant_type: "refresh_token", refresh_token: tokens.refreshToken };
    const refreshed = await tokensBy({ ...swap, ...(audience !== undefined && { resource: audience }) });
    if (began !== epoch) return failure("signed_out", "the program has signed out meanwhile");
    // What the service has ended is over; where it could not be reached, the tokens stay.
    if (!refreshed.ok && refreshed.code === "invalid_grant") {
      await keep(undefined);
      return failure("signed_out", refreshed.error);
    }
    if (!refreshed.ok) return refreshed;
    const { refreshToken = tokens.refreshToken } = refreshed.tokens;
    await storage.save(audience === undefined ? { ...tokens, ...refreshed.tokens } : { ...tokens, refreshToken });
    if (audience !== undefined) held.set(audience, refreshed.tokens);
    return refreshed;
  }

  /** Makes one refresh at a time, in all tabs, and one for all who need the same token. */
  function refreshOnce(audience: string | undefined): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const running = pending.get(audience);
    if (running !== undefined) return running;
    const work = (): Promise<ProgramResult<{ tokens: ProgramTokens }>> =>
      within({ timeoutMs }, ({ signal }) => tabs.oneAtATime(() => refresh(audience), signal));
    const next = turn.then(work).finally(() => void pending.delete(audience));
    turn = next.catch(() => undefined);
    pending.set(audience, next);
    return next;
  }

  async function currentTokens(): Promise<ProgramResult<{ tokens: ProgramTokens }>> {
    const tokens = await storage.load();
    return tokens !== undefined && isGood(tokens) ? { ok: true, tokens } : refreshOnce(undefined);
  }

  async function tokenFor(audience: string): Promise<ProgramResult<{ accessToken: string }>> {
    const tokens = held.get(audience);
    const current =
      tokens !== undefined && isGood(tokens) ? { ok: true as const, tokens } : await refreshOnce(audience);
    return current.ok ? { ok: true, accessToken: current.tokens.accessToken } : current;
  }

  return { keep, currentTokens, tokenFor, drop: (audience: string): boolean => held.delete(audience) };
}
