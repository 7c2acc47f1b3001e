import { createClient, type Client } from "../../client/index.ts";
import { createAuthStore } from "./state/auth.store.ts";
import type { AuthState, AuthStore, AuthUser } from "./state/auth.types.ts";

export interface AuthOptions {
  /** Default: a client of the service on the origin of the page. */
  readonly client?: Client | undefined;
  /** Whom the server has found signed in, or null for nobody: the page then shows it at once. Without it the state is `loading` at first. */
  readonly user?: AuthUser | null | undefined;
}

/** A store of Svelte: `$auth` is its state, in components with runes and without. */
export interface Auth extends Pick<AuthStore<AuthUser>, "reload" | "signOut"> {
  subscribe(run: (state: AuthState<AuthUser>) => void): () => void;
}

/** Makes the store of who is signed in. On a server, make one for each request: it belongs to one person. */
export function createAuth({ client = createClient(), user }: AuthOptions = {}): Auth {
  const { get, getInitial, subscribe, reload, signOut } = createAuthStore<AuthUser>(client, user);
  return {
    reload,
    signOut,
    subscribe(run) {
      // A server renders what it knows, and asks nobody.
      if (!("document" in globalThis)) {
        run(getInitial());
        return () => undefined;
      }
      run(get());
      return subscribe(() => run(get()));
    },
  };
}
