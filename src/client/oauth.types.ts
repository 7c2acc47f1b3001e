/** The tokens of a person who has signed in to a program. Keep them where only the program can read them. */
export interface ProgramTokens {
  readonly accessToken: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly refreshToken?: string;
  readonly idToken?: string;
  readonly scope: string;
}

/** Where a program keeps the tokens: a keychain, a file, a store of the browser. */
export interface ProgramStorage {
  load(): ProgramTokens | undefined | Promise<ProgramTokens | undefined>;
  save(tokens: ProgramTokens | undefined): void | Promise<void>;
}

/** What a sign-in takes of cryptography. */
export interface ProgramCrypto {
  /** Fills the bytes with random ones, and returns them. */
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array;
  sha256(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
}

export interface ProgramOptions {
  /** The address of the service, as its `APP_URL` has it. */
  readonly baseUrl: string;
  /** As `client:create --type native` or `--type browser` has printed it. */
  readonly clientId: string;
  /** One of the registered addresses: a scheme of the app, an https link that the app has claimed, or a loopback address with any port. */
  readonly redirectUri: string;
  /** The resource servers that the program calls, by their addresses (RFC 8707): `fetch` sends to their origins alone. */
  readonly audiences?: readonly string[];
  /** Default: `openid profile email offline_access`. */
  readonly scope?: string;
  /** Default: the tokens live as long as the object. */
  readonly storage?: ProgramStorage;
  readonly fetch?: typeof fetch;
  /** Default: the global `crypto`, which some runtimes of phones lack. */
  readonly crypto?: ProgramCrypto;
  /** The limit of each request. Default: 20 seconds. */
  readonly timeoutMs?: number;
}

/** What a person is asked on the way to a sign-in. */
export interface ProgramAsking {
  readonly prompt?: "none" | "login" | "consent" | "select_account";
  readonly loginHint?: string;
  /** The resource servers that the tokens are for (RFC 8707). Default: the program's audiences. */
  readonly resources?: readonly string[];
}

export interface ProgramSignIn extends ProgramAsking {
  /**
   * Opens an address in the system's browser, and resolves to the address by which the browser came back to the app; undefined where the
   * person has given up. An embedded web view will not do: the app could read the password there (RFC 8252 §8.12).
   */
  readonly visit: (address: string) => Promise<string | undefined>;
}

export interface ProgramDeparture extends ProgramAsking {
  /** The path at which the person goes on afterwards. Default: where the page is. */
  readonly returnTo?: string;
}

/** The claims that the scopes allow. */
export interface ProgramUser {
  readonly sub: string;
  readonly name?: string;
  readonly preferred_username?: string;
  readonly picture?: string;
  readonly locale?: string;
  readonly zoneinfo?: string;
  readonly updated_at?: number;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly roles?: readonly string[];
}

/**
 * Why a call did not succeed: a code of RFC 6749, such as `access_denied`, or one of the client itself. `cancelled`: the person gave up.
 * `invalid_answer`: the browser came back with an answer that is not for this sign-in. `signed_out`: there are no tokens, or they are over.
 */
export interface ProgramFailure {
  readonly ok: false;
  readonly code: string;
  readonly error: string;
}
export type ProgramResult<Value extends object = object> = ({ readonly ok: true } & Value) | ProgramFailure;

export interface Program {
  /** Signs a person in by the system's browser, in one call: PKCE, the visit, the check of the answer, and the tokens. */
  signIn(options: ProgramSignIn): Promise<ProgramResult<{ tokens: ProgramTokens }>>;
  /** Leaves the page for the sign-in of the service, which comes back to the redirect URI. For pages alone. */
  startSignIn(options?: ProgramDeparture): Promise<void>;
  /**
   * Finishes a sign-in on the page at the redirect URI, and puts its address right. Resolves to undefined where the page was opened in another
   * way.
   */
  finishSignIn(): Promise<ProgramResult<{ tokens: ProgramTokens; returnTo: string }> | undefined>;
  /** Resolves to an access token for one of the audiences, which the program keeps in memory until it runs out. */
  getToken(options: { readonly audience: string }): Promise<ProgramResult<{ accessToken: string }>>;
  /**
   * Sends a request with the token for the audience at that address, and after a 401 once more with a new one. Throws for an origin that no
   * audience is at. Without somebody signed in the request has no token.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Resolves to an access token that is good for half a minute at least. Calls at the same time share one refresh. */
  getAccessToken(): Promise<ProgramResult<{ accessToken: string }>>;
  getUser(): Promise<ProgramResult<{ user: ProgramUser }>>;
  /** Ends what the service holds for the program, and forgets the tokens. The browser stays signed in. */
  signOut(): Promise<ProgramResult>;
}
