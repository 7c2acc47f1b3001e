import {
  createContext,
  createElement,
  useContext,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from "react";
import { createClient, type Client } from "../../client/index.ts";
import { createAuthStore } from "./state/auth.store.ts";
import type { AuthState, AuthStore, AuthUser } from "./state/auth.types.ts";

export interface GatehouseProviderProps {
  /** Default: a client of the service on the origin of the page. The first one stays. */
  readonly client?: Client | undefined;
  /** Whom the server has found signed in, or null for nobody: the page then shows it at once. Without it the state is `loading` at first. */
  readonly user?: AuthUser | null | undefined;
  readonly children?: ReactNode;
}

export type Auth = AuthState<AuthUser> & Pick<AuthStore<AuthUser>, "reload" | "signOut">;

const Context = createContext<AuthStore<AuthUser> | undefined>(undefined);

/** Lets the components below know who is signed in. */
export function GatehouseProvider({ client, user, children }: GatehouseProviderProps): ReactElement {
  const [store] = useState(() => createAuthStore<AuthUser>(client ?? createClient(), user));
  return createElement(Context.Provider, { value: store }, children);
}

/** Returns who is signed in, and what can be done about it. The component is rendered anew when that changes, in this tab or another. */
export function useAuth(): Auth {
  const store = useContext(Context);
  if (store === undefined) throw new Error("useAuth needs a GatehouseProvider around it");
  const { reload, signOut } = store;
  return { ...useSyncExternalStore(store.subscribe, store.get, store.getInitial), reload, signOut };
}

/** Returns the person who is signed in, or null: for nobody, and until it is known. */
export const useUser = (): AuthUser | null => useAuth().user;
