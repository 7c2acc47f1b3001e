import type { OwnUser } from "../../../client/index.ts";

/**
 * Who is signed in, as a page knows it: `loading` until the first answer, which is never a verdict, then `signed_in` or `signed_out`. Where the
 * service can't be asked, what was known stays, and `failure` says why.
 */
export type AuthState<User> =
  | { readonly status: "loading"; readonly user: null; readonly failure?: AuthFailure }
  | { readonly status: "signed_in"; readonly user: User; readonly failure?: AuthFailure }
  | { readonly status: "signed_out"; readonly user: null; readonly failure?: AuthFailure };

/** Why the service could not be asked, or has refused. */
export interface AuthFailure {
  readonly ok: false;
  readonly code: string;
  readonly error: string;
  readonly retryAfterSeconds?: number;
}

/** What the state is made of: a client of the service, or a program with tokens. */
export interface AuthSource<User> {
  getMe(options?: { refresh?: boolean }): Promise<{ ok: true; user: User } | AuthFailure>;
  logout(): Promise<{ ok: true } | AuthFailure>;
  onChange?(listener: (change: "signed_in" | "signed_out" | "ended") => void): () => void;
}

export interface AuthStore<User> {
  get(): AuthState<User>;
  /** What `get` returned at first: a server renders it, and a browser that takes over a page from a server begins with it. */
  getInitial(): AuthState<User>;
  /** Calls the listener after each change. The service is asked once there is somebody to tell. */
  subscribe(listener: () => void): () => void;
  /** Asks the service who is signed in. */
  reload(): Promise<void>;
  /** Ends the session. A failure leaves the person signed in. */
  signOut(): Promise<{ ok: true } | AuthFailure>;
}

/** The person, as a server has told it or as the service tells the browser, which knows more. */
export type AuthUser = Pick<OwnUser, "id" | "username" | "email"> & { readonly roles?: readonly string[] } & Partial<
    Omit<OwnUser, "roles">
  >;
