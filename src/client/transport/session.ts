import type { Credentials, Proof } from "./credentials.ts";
import { within, type Deadline } from "./deadline.ts";
import type { Tabs } from "./tabs.ts";
import { localFailure, type Outgoing, type Send } from "./transport.ts";
import type { CallOptions, Failure, Result } from "../result.types.ts";
import type { ClientOptions, SessionChange, SignedOutReason } from "../types.ts";

interface SessionOptions extends Pick<ClientOptions, "onSignedOut"> {
  readonly timeoutMs: number;
  readonly send: Send;
  readonly credentials: Credentials;
  readonly tabs: Tabs;
}

const isUnauthorized = (result: Result): result is Failure => !result.ok && result.code === "unauthorized";
/** Whether an API wants somebody signed in. Where it wants a fresh proof of who is (RFC 9470), a refresh is of no use. */
const asksForSignIn = ({ status, headers }: Response): boolean =>
  status === 401 && headers.get("www-authenticate")?.includes("insufficient_user_authentication") !== true;
const unauthorized: Failure = { ok: false, code: "unauthorized", error: "unauthorized", status: 401 };

/** Sends requests as the signed-in user, refreshes the session when a request needs it, and notices when the session is over. */
export function createSession({ send, credentials, tabs, timeoutMs, onSignedOut }: SessionOptions) {
  /** Whether this client has seen a session that is not over. */
  let isSignedIn = false;
  /** Counts sign-ins and sign-outs. A request that began in an earlier epoch is not retried for a later user, nor are its tokens kept. */
  let epoch = 0;
  let refreshing: Promise<Result> | undefined;
  const listeners = new Set<(change: SessionChange) => void>();

  const tell = (change: SessionChange): void => listeners.forEach((listener) => listener(change));
  function leave(reason: SignedOutReason): void {
    epoch += 1;
    const wasSignedIn = isSignedIn;
    isSignedIn = false;
    tell(reason);
    if (wasSignedIn) onSignedOut?.(reason);
  }
  const listenToTabs = (): void => {
    if (credentials.mode === "include") tabs.listen((word) => (word === "signed_in" ? tell(word) : leave("ended")));
  };
  if (onSignedOut !== undefined) listenToTabs();

  async function adopt(answer: object): Promise<void> {
    await credentials.keep(answer);
    isSignedIn = true;
  }

  async function begin(answer: object): Promise<void> {
    epoch += 1;
    await adopt(answer);
    tabs.announce("signed_in");
    tell("signed_in");
  }

  async function end(reason: SignedOutReason): Promise<void> {
    await credentials.drop();
    if (isSignedIn) tabs.announce("signed_out");
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
   * Makes one refresh for all requests that need one at the same time, in all tabs. The refresh has a deadline of its own: a caller may
   * give up, but a refresh that is cut off may have been made all the same, and would leave worthless credentials behind.
   */
  const refreshOnce = (proof: Proof): Promise<Result> =>
    within({ timeoutMs }, (deadline) => tabs.oneAtATime(() => rotate(proof, deadline), deadline.signal)).finally(
      () => void (refreshing = undefined),
    );

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

  /** Refreshes, and then sends the request unless the refresh has shown that the service can't serve it. */
  async function sendRefreshed<T>(proof: Proof, request: Outgoing<T>, deadline: Deadline): Promise<Result<T>> {
    const began = epoch;
    const refreshed = await refresh(proof, deadline);
    if (began !== epoch) return unauthorized;
    // A refused refresh is not final while the credentials may have been replaced: a page of another origin, which no lock holds back, may
    // just have refreshed with the same cookies.
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

  /** Sends to an API of the app, and once more after a 401 and a refresh. The session is over only where the service says so, too. */
  async function carry(sendWith: (headers: Proof["headers"]) => Promise<Response>): Promise<Response> {
    const began = epoch;
    const proof = await credentials.prove();
    const first = proof.hasExpired ? undefined : await sendWith(proof.headers);
    if (first !== undefined && !asksForSignIn(first)) return first;
    const refreshed = await within({ timeoutMs }, (deadline) => refresh(proof, deadline));
    if (began !== epoch || (!refreshed.ok && !isUnauthorized(refreshed))) return first ?? sendWith({});
    if (!refreshed.ok && !(await proof.mayBeReplaced())) {
      await end("ended");
      return first ?? sendWith({});
    }
    const second = await sendWith((await credentials.prove()).headers);
    if (!refreshed.ok && asksForSignIn(second) && began === epoch) await end("ended");
    return second;
  }

  const inTime = <T>(call: CallOptions, work: (deadline: Deadline) => Promise<T>): Promise<T> =>
    within({ timeoutMs: call.timeoutMs ?? timeoutMs, signal: call.signal }, work);

  return {
    /** Sends a request without tokens, for a route that is open to everybody. */
    open: <T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      inTime(options, (deadline) => send(request, deadline)),

    /** Sends a request to a route that is open to everybody but has another outcome for a signed-in user. */
    known: <T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      inTime(options, async (deadline) => {
        const proof = await credentials.prove();
        if (proof.hasExpired) await refresh(proof, deadline);
        const { headers } = await credentials.prove();
        return send({ ...request, headers }, deadline);
      }),

    /** Sends a request to a route for signed-in users. After a 401 the client refreshes and tries again. */
    guarded: <T>(request: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      inTime(options, (deadline) => sendGuarded(request, deadline, options.refresh ?? true)),

    /** Refreshes on the caller's demand. `whose` asks for the user afterwards, since another tab may have made the refresh. */
    refresh: <T>(whose: Outgoing<T>, options: CallOptions = {}): Promise<Result<T>> =>
      inTime(options, async (deadline) => sendRefreshed(await credentials.prove(), whose, deadline)),

    carry,
    begin,
    end,
    onChange(listener: (change: SessionChange) => void) {
      listenToTabs();
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
