import type { Credentials, Proof } from "./credentials.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { Tabs } from "./tabs.ts";
import { localFailure, type Outgoing, type Send } from "./transport.ts";
import type { CallOptions, ClientOptions, Failure, Result, SignedOutReason } from "./types.ts";

interface SessionOptions extends Pick<ClientOptions, "onSignedOut"> {
  readonly timeoutMs: number;
  readonly send: Send;
  readonly credentials: Credentials;
  readonly tabs: Tabs;
}

const isUnauthorized = (result: Result): result is Failure => !result.ok && result.code === "unauthorized";
const unauthorized: Failure = { ok: false, code: "unauthorized", error: "unauthorized", status: 401 };

/** Sends requests in the name of who is signed in, refreshes when that is asked for, and notices when the session is over. */
export function createSession({ send, credentials, tabs, timeoutMs, onSignedOut }: SessionOptions) {
  /** Whether this client has seen a session that is not over. */
  let isSignedIn = false;
  /** Raised by every sign-in and sign-out: what was sent before one is not to be sent or answered for whoever is signed in after it. */
  let epoch = 0;
  let refreshing: Promise<Result> | undefined;

  function leave(reason: SignedOutReason): void {
    epoch += 1;
    if (!isSignedIn) return;
    isSignedIn = false;
    onSignedOut?.(reason);
  }
  if (onSignedOut !== undefined && credentials.mode === "include") tabs.onSignOut(() => leave("ended"));

  async function adopt(answer: object): Promise<void> {
    await credentials.keep(answer);
    isSignedIn = true;
  }

  function begin(answer: object): Promise<void> {
    epoch += 1;
    return adopt(answer);
  }

  async function end(reason: SignedOutReason): Promise<void> {
    await credentials.drop();
    if (isSignedIn) tabs.announceSignOut();
    leave(reason);
  }

  async function rotate(proof: Proof, deadline: Deadline): Promise<Result> {
    if (await proof.isReplaced()) return { ok: true };
    const request = await credentials.refreshRequest();
    const began = epoch;
    const result = request === undefined ? unauthorized : await send(request, deadline);
    if (result.ok && began === epoch) await adopt(result);
    return result;
  }

  /**
   * Those who need a refresh at the same time, in all tabs, share one. It has a deadline of its own: who asked for it may
   * give up, but a refresh that is cut off may have been made all the same, and then the old credentials are worth nothing.
   */
  async function refreshOnce(proof: Proof): Promise<Result> {
    const deadline = createDeadline({ timeoutMs });
    try {
      return await tabs.oneAtATime(() => rotate(proof, deadline), deadline.signal);
    } finally {
      deadline.end();
      refreshing = undefined;
    }
  }

  async function refresh(proof: Proof, deadline: Deadline): Promise<Result> {
    refreshing ??= refreshOnce(proof);
    return (await deadline.orNothing(refreshing)) ?? localFailure(deadline.passed() ?? "timeout");
  }

  async function sendAs<T>(proof: Proof, request: Outgoing<T>, deadline: Deadline): Promise<Result<T>> {
    const began = epoch;
    const result = await send({ ...request, headers: proof.headers }, deadline);
    if (result.ok && began === epoch) isSignedIn = true;
    return result;
  }

  /** Refreshes, and sends the request unless the refresh has shown that it can't be served. */
  async function sendRefreshed<T>(proof: Proof, request: Outgoing<T>, deadline: Deadline): Promise<Result<T>> {
    const began = epoch;
    const refreshed = await refresh(proof, deadline);
    if (began !== epoch) return unauthorized;
    // Refused, but a page of another origin, which no lock keeps waiting, may just have made the refresh with the same cookies.
    const isFinal = !refreshed.ok && !(isUnauthorized(refreshed) && (await proof.mayBeReplaced()));
    const result = isFinal ? refreshed : await sendAs(await credentials.prove(), request, deadline);
    if (isUnauthorized(result) && began === epoch) await end("ended");
    return result;
  }

  async function sendGuarded<T>(request: Outgoing<T>, deadline: Deadline, mayRefresh: boolean): Promise<Result<T>> {
    const began = epoch;
    const proof = await credentials.prove();
    if (proof.isSignedIn) isSignedIn = true;
    const first = proof.hasExpired ? unauthorized : await sendAs(proof, request, deadline);
    const isOver = !isUnauthorized(first) || !mayRefresh || began !== epoch;
    return isOver ? first : sendRefreshed(proof, request, deadline);
  }

  async function within<T>(
    { timeoutMs: ownMs = timeoutMs, signal }: CallOptions,
    work: (deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const deadline = createDeadline({ timeoutMs: ownMs, signal });
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

    /** For everybody, with another outcome for who is signed in. */
    known: <T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      within(options, async (deadline) => {
        const proof = await credentials.prove();
        if (proof.hasExpired) await refresh(proof, deadline);
        const { headers } = await credentials.prove();
        return send({ ...request, headers }, deadline);
      }),

    /** For who is signed in: a 401 may be mended by a refresh. */
    guarded: <T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      within(options, (deadline) => sendGuarded(request, deadline, options.refresh ?? true)),

    /** A refresh for its own sake. `whose` is asked afterwards, since it may be another tab that has made it. */
    refresh: <T>(whose: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      within(options, async (deadline) => sendRefreshed(await credentials.prove(), whose, deadline)),

    begin,
    end,
  };
}
