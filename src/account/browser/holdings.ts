import { signal, type ReadonlySignal } from "@preact/signals";
import type { Identity, Mfa, Result, Session } from "../../client/index.ts";
import type { Account } from "./context.ts";

/** Something that is fetched when the page is shown, and again when it may have changed elsewhere. */
export interface Resource<T> {
  readonly value: ReadonlySignal<T | undefined>;
  /** Whether the last attempt to fetch it failed. */
  readonly hasFailed: ReadonlySignal<boolean>;
  load(): Promise<void>;
  /** To be called with what an act has made of it. */
  set(value: T): void;
}

/** What the account page shows besides the user. */
export interface Holdings {
  readonly user: Omit<Resource<never>, "value" | "set">;
  readonly sessions: Resource<readonly Session[]>;
  readonly identities: Resource<readonly Identity[]>;
  readonly mfa: Resource<Mfa>;
  /** Fetches everything. */
  load(): void;
  /** Fetches everything again when somebody comes back to the page. Returns how to stop that. */
  keepFresh(): () => void;
}

/** Coming back more often asks the server no more often. */
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
      // Nobody was known to be signed in here, as after a step back to this page: no session has ended.
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
