import type { Credentials, Proof } from "./credentials.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { Tabs } from "./tabs.ts";
import { localFailure, type Outgoing, type Send } from "./transport.ts";
import type { CallOptions, ClientOptions, Failure, Result, SignedOutReason, User } from "./types.ts";

interface SessionOptions extends Pick<ClientOptions, "onSignedOut"> {
  readonly timeoutMs: number;
  readonly send: Send;
  readonly credentials: Credentials;
  readonly tabs: Tabs;
}

type Refreshed = Result<{ user?: User }>;

const isUnauthorized = (result: Result): result is Failure => !result.ok && result.code === "unauthorized";
const unauthorized: Failure = { ok: false, code: "unauthorized", error: "unauthorized", status: 401 };

/** Sends requests in the name of who is signed in, refreshes when that is asked for, and notices when the session is over. */
export function createSession({ send, credentials, tabs, timeoutMs, onSignedOut }: SessionOptions) {
  /** Whether this client has seen a session that is not over. */
  let isSignedIn = false;
  /** Tells what began before a session was over from what began after it. */
  let endings = 0;
  let refreshing: Promise<Refreshed> | undefined;

  async function begin(answer: object): Promise<void> {
    await credentials.keep(answer);
    tabs.noteReplaced();
    isSignedIn = true;
  }

  async function end(reason: SignedOutReason): Promise<void> {
    endings += 1;
    await credentials.clear();
    if (!isSignedIn) return;
    isSignedIn = false;
    onSignedOut?.(reason);
  }

  async function rotate(proof: Proof, deadline: Deadline): Promise<Refreshed> {
    if (await proof.isReplaced()) return { ok: true };
    const request = await credentials.refreshRequest();
    const began = endings;
    const result = request === undefined ? unauthorized : await send(request, deadline);
    if (result.ok && began === endings) await begin(result);
    if (isUnauthorized(result)) await end("ended");
    return result;
  }

  /**
   * Those who need a refresh at the same time, in all tabs, share one. It has a deadline of its own: who asked for it may
   * give up, but a refresh that is cut off may have been made all the same, and then the old credentials are worth nothing.
   */
  async function refreshOnce(proof: Proof): Promise<Refreshed> {
    const deadline = createDeadline({ timeoutMs });
    try {
      return await tabs.oneAtATime(() => rotate(proof, deadline), deadline.signal);
    } finally {
      deadline.end();
      refreshing = undefined;
    }
  }

  async function refresh(proof: Proof, deadline: Deadline): Promise<Refreshed> {
    refreshing ??= refreshOnce(proof);
    return (await deadline.orNothing(refreshing)) ?? localFailure(deadline.passed() ?? "timeout");
  }

  async function sendAgain<T>(request: Outgoing<T>, deadline: Deadline): Promise<Result<T>> {
    const { headers } = await credentials.prove();
    const result = await send({ ...request, headers }, deadline);
    if (isUnauthorized(result)) await end("ended");
    return result;
  }

  async function sendGuarded<T>(request: Outgoing<T>, deadline: Deadline, mayRefresh: boolean): Promise<Result<T>> {
    const began = endings;
    const proof = await credentials.prove();
    if (proof.isSignedIn) isSignedIn = true;
    const first = proof.hasExpired ? unauthorized : await send({ ...request, headers: proof.headers }, deadline);
    if (first.ok && began === endings) isSignedIn = true;
    if (!isUnauthorized(first) || !mayRefresh) return first;
    const refreshed = await refresh(proof, deadline);
    // Where tabs can't wait for one another, the refresh of another one may be the reason why this one's was refused.
    const mayBeAnothers = isUnauthorized(refreshed) && !tabs.areKnown;
    return refreshed.ok || mayBeAnothers ? sendAgain(request, deadline) : refreshed;
  }

  async function within<T>(options: CallOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = createDeadline({ timeoutMs: options.timeoutMs ?? timeoutMs, signal: options.signal });
    try {
      return await work(deadline);
    } finally {
      deadline.end();
    }
  }

  return {
    /** For everybody: is sent without tokens. */
    open: <T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      within(options, (deadline) => send(request, deadline)),

    /** For everybody, and other than that for who is signed in. */
    async known<T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> {
      return within(options, async (deadline) => {
        const proof = await credentials.prove();
        if (proof.hasExpired) await refresh(proof, deadline);
        const { headers } = await credentials.prove();
        return send({ ...request, headers }, deadline);
      });
    },

    /** For who is signed in: a 401 may be mended by a refresh. */
    guarded: <T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      within(options, (deadline) => sendGuarded(request, deadline, options.refresh ?? true)),

    refresh: (options: CallOptions = {}): Promise<Refreshed> =>
      within(options, async (deadline) => refresh(await credentials.prove(), deadline)),

    begin,
    end,
  };
}
