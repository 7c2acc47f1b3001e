import { computed, inject, shallowRef, type App, type ComputedRef, type InjectionKey, type Plugin } from "vue";
import { createClient, type Client } from "../../client/index.ts";
import { createAuthStore } from "./state/auth.store.ts";
import type { AuthFailure, AuthState, AuthStore, AuthUser } from "./state/auth.types.ts";

export interface GatehouseOptions {
  /** Default: a client of the service on the origin of the page. */
  readonly client?: Client | undefined;
  /** Whom the server has found signed in, or null for nobody: the page then shows it at once. Without it the state is `loading` at first. */
  readonly user?: AuthUser | null | undefined;
}

export interface Auth extends Pick<AuthStore<AuthUser>, "reload" | "signOut"> {
  readonly status: ComputedRef<AuthState<AuthUser>["status"]>;
  /** The person who is signed in, or null: for nobody, and until it is known. */
  readonly user: ComputedRef<AuthUser | null>;
  /** Why the service could not be asked. What was known stays. */
  readonly failure: ComputedRef<AuthFailure | undefined>;
}

const key: InjectionKey<Auth> = Symbol("gatehouse");

/** The plugin of an app: `app.use(createGatehouse())`. On a server, each request has an app of its own. */
export function createGatehouse({ client = createClient(), user }: GatehouseOptions = {}): Plugin {
  return {
    install(app: App) {
      const store = createAuthStore<AuthUser>(client, user);
      const state = shallowRef(store.get());
      // A server renders what it knows, and asks nobody.
      if ("document" in globalThis) app.onUnmount(store.subscribe(() => void (state.value = store.get())));
      app.provide(key, {
        status: computed(() => state.value.status),
        user: computed(() => state.value.user),
        failure: computed(() => state.value.failure),
        reload: store.reload,
        signOut: store.signOut,
      });
    },
  };
}

/** Returns who is signed in, and what can be done about it. */
export function useAuth(): Auth {
  const auth = inject(key);
  if (auth === undefined) throw new Error("useAuth needs app.use(createGatehouse())");
  return auth;
}
