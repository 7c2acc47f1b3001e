import { useSyncExternalStore } from "react";
import {
  createProgram,
  type Program,
  type ProgramAsking,
  type ProgramOptions,
  type ProgramResult,
  type ProgramStorage,
  type ProgramTokens,
  type ProgramUser,
} from "../../client/oauth.ts";
import { createAuthStore } from "./state/auth.store.ts";
import type { AuthFailure, AuthSource, AuthState, AuthStore } from "./state/auth.types.ts";

/** What is used of the modules of Expo and React Native: `import * as Crypto from "expo-crypto"`, and so on. */
export interface ExpoModules<Algorithm> {
  readonly Crypto: {
    readonly CryptoDigestAlgorithm: { readonly SHA256: Algorithm };
    getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array;
    digest(algorithm: Algorithm, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
  };
  readonly SecureStore: {
    getItemAsync(key: string): Promise<string | null>;
    setItemAsync(key: string, value: string): Promise<void>;
    deleteItemAsync(key: string): Promise<void>;
  };
  readonly WebBrowser: {
    openAuthSessionAsync(address: string, redirectUri: string): Promise<{ type: string; url?: string }>;
  };
  readonly AppState: {
    addEventListener(event: "change", listener: (state: string) => void): unknown;
  };
}

export interface ExpoOptions<Algorithm> extends Omit<ProgramOptions, "storage" | "crypto"> {
  readonly modules: ExpoModules<Algorithm>;
}

export interface ExpoAuth
  extends
    Pick<AuthStore<ProgramUser>, "get" | "subscribe" | "reload" | "signOut">,
    Pick<Program, "getAccessToken" | "getToken" | "fetch"> {
  /** Signs a person in by the system's browser. */
  signIn(asked?: ProgramAsking): Promise<ProgramResult>;
  /** Returns who is signed in. The component is rendered anew when that changes. */
  useAuth(): AuthState<ProgramUser>;
}

/**
 * Keeps the refresh token where the system keeps secrets, and the others in memory: an app that is started anew makes one refresh. What is stored is
 * short, since keychains take no long values, and one value, so that it is never half of one.
 */
function createStorage(store: ExpoModules<unknown>["SecureStore"], key: string, scope: string) {
  let held: ProgramTokens | undefined;
  const storage: ProgramStorage = {
    async load() {
      const refreshToken = held === undefined ? await store.getItemAsync(key) : null;
      if (refreshToken !== null) held ??= { accessToken: "", expiresAt: 0, scope, refreshToken };
      return held;
    },
    async save(tokens) {
      const stored = held?.refreshToken;
      if (tokens?.refreshToken === undefined) await store.deleteItemAsync(key);
      else if (tokens.refreshToken !== stored) await store.setItemAsync(key, tokens.refreshToken);
      held = tokens;
    },
  };
  return {
    storage,
    /** Has the next question refresh. */
    distrust(): void {
      if (held !== undefined) held = { ...held, accessToken: "", expiresAt: 0 };
    },
  };
}

/** Signs people in to an app of Expo. An app needs one. */
export function createExpoAuth<Algorithm>({ modules, ...options }: ExpoOptions<Algorithm>): ExpoAuth {
  const { Crypto, SecureStore, WebBrowser, AppState } = modules;
  const key = `gatehouse.${options.clientId}`.replaceAll(/[^\w.-]/g, "_");
  const { storage, distrust } = createStorage(SecureStore, key, options.scope ?? "");
  const program = createProgram({
    ...options,
    storage,
    crypto: {
      getRandomValues: (bytes) => Crypto.getRandomValues(bytes),
      sha256: (bytes) => Crypto.digest(Crypto.CryptoDigestAlgorithm.SHA256, bytes),
    },
  });
  let tell: ((change: "signed_in") => void) | undefined;
  const source: AuthSource<ProgramUser> = {
    async getMe() {
      try {
        const first = await program.getUser();
        if (first.ok || first.code !== "invalid_token") return first;
        // The session is over, or only its token: a refresh tells.
        distrust();
        return await program.getUser();
      } catch (error) {
        return storageFailure(error);
      }
    },
    logout: program.signOut,
    onChange(listener) {
      tell = listener;
      return () => void (tell = undefined);
    },
  };
  const store = createAuthStore<ProgramUser>(source);
  AppState.addEventListener("change", (state) => {
    if (state === "active" && store.get().status !== "loading") void store.reload();
  });

  return {
    get: store.get,
    subscribe: store.subscribe,
    reload: store.reload,
    getAccessToken: program.getAccessToken,
    getToken: program.getToken,
    fetch: program.fetch,
    useAuth: () => useSyncExternalStore(store.subscribe, store.get, store.getInitial),
    async signIn(asked = {}) {
      const visit = async (address: string): Promise<string | undefined> => {
        const { type, url } = await WebBrowser.openAuthSessionAsync(address, options.redirectUri);
        return type === "success" ? url : undefined;
      };
      const signedIn = await program.signIn({ ...asked, visit });
      if (!signedIn.ok) return signedIn;
      tell?.("signed_in");
      return { ok: true };
    },
    async signOut() {
      const outcome = await store.signOut();
      // The tokens are forgotten even where the service could not be told.
      if (!outcome.ok) await store.reload();
      return outcome;
    },
  };
}

const storageFailure = (error: unknown): AuthFailure => ({
  ok: false,
  code: "storage",
  error: `the store of the device failed: ${String(error)}`,
});
