import { signal, type ReadonlySignal } from "@preact/signals";
import type { Identity, Mfa, Result, Session } from "../../../client/index.ts";
import type { Account } from "../context.ts";

/** Data that is fetched when the page is shown, and again when it may have changed elsewhere. */
export interface Resource<T> {
  readonly value: ReadonlySignal<T | undefined>;
  /** Whether the last attempt to fetch the data failed. */
  readonly hasFailed: ReadonlySignal<boolean>;
  load(): Promise<void>;
  /** Replaces the data with the result of an act. */
  set(value: T): void;
}

/** Everything on the account page besides the user. */
export interface Holdings {
  readonly user: Omit<Resource<never>, "value" | "set">;
  readonly sessions: Resource<readonly Session[]>;
  readonly identities: Resource<readonly Identity[]>;
  readonly mfa: Resource<Mfa>;
  /** Fetches everything. */
  load(): void;
  /** Fetches everything again whenever somebody comes back to the page. Returns a function that stops this. */
  keepFresh(): () => void;
}

/** How long data counts as fresh: coming back more often does not ask the server more often. */
const freshForMs = 5_000;

export function createHoldings({ client, connection, session, router }: Account): Holdings {
  let loadedAt = 0;

  function createResource<A, T>(fetch: () => Promise<Result<A>>, read: (answer: A) => T): Resource<T> {
    const value = signal<T | undefined>(undefined);
    const hasFailed = signal(false);
    return {
      value,
      hasFailed,
      async load() {
        hasFailed.value = false;
        const result = connection.heard(await fetch());
        if (result.ok) value.value = read(result);
        else hasFailed.value = true;
      },
      set: (next) => void (value.value = next),
    };
  }

  async function askWho() {
    const result = await client.getMe();
    if (result.ok) {
      session.know(result.user);
      if (result.mfa_setup_required) router.replace("/login", { setup: "", next: router.href("/account") });
    } else if (result.code === "unauthorized" && router.place.value.path === "/account")
      // No session has ended: the page did not know of one, as after a step back to it.
      router.replace("/login", { next: router.href("/account") });
    return result;
  }

  const user = createResource(askWho, () => undefined);
  const sessions = createResource(
    () => client.listSessions(),
    (answer) => answer.sessions,
  );
  const identities = createResource(
    () => client.listIdentities(),
    (answer) => answer.identities,
  );

  const mfa = createResource(
    () => client.getMfa(),
    (answer) => answer,
  );

  function load(): void {
    loadedAt = Date.now();
    for (const resource of [user, sessions, identities, mfa]) void resource.load();
  }

  return {
    user,
    sessions,
    identities,
    mfa,
    load,
    keepFresh() {
      const comeBack = (): void => {
        if (!document.hidden && Date.now() - loadedAt > freshForMs) load();
      };
      document.addEventListener("visibilitychange", comeBack);
      addEventListener("online", load);
      return () => {
        document.removeEventListener("visibilitychange", comeBack);
        removeEventListener("online", load);
      };
    },
  };
}
