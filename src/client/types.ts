import type {
  AccountExport,
  Added,
  FactorName,
  Identity,
  Introspection,
  Invitation,
  Provider,
  PublicKey,
  Session,
  TokenStorage,
  User,
} from "./model.ts";
import type { FieldCode, LocalCode, PasskeyCode, ServerCode } from "./codes.ts";
import type {
  FactorAnswer,
  LoginChallenge,
  Mfa,
  NewPasskey,
  Passkey,
  PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  TotpSetup,
} from "./factors.ts";

export interface FieldError {
  code: FieldCode;
  /** The same for people, in English. */
  message: string;
}

export interface Failure {
  ok: false;
  code: ServerCode | LocalCode | PasskeyCode;
  /** The same for people, in English. */
  error: string;
  /** The HTTP status; 0 without an answer. */
  status: number;
  /** Of a request body, every field that is wrong. */
  fields?: Record<string, FieldError>;
  /** For developers: what has to be mended in the request. */
  detail?: string;
  /** The name of the request in the service's log. */
  requestId?: string;
  retryAfterSeconds?: number;
  /** With `mfa_required`: what the sign-in waits for, by this name. See `verifyLogin`. */
  challenge?: string;
  /** With `mfa_required`: by what it can be finished. */
  methods?: FactorName[];
  /** With `mfa_required`: how long that is possible. */
  expiresInSeconds?: number;
}

/** What every call resolves to: none throws because the service refuses or can't be reached. */
export type Result<T = unknown> = ({ ok: true } & T) | Failure;

export interface CallOptions {
  /** Ends the call with the code `aborted`. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  timeoutMs?: number | undefined;
  /** False takes a 401 as the answer: to ask who is signed in on a page that is for strangers too. */
  refresh?: boolean | undefined;
}

/** `signed_out`: this client asked for it. `ended`: the session was ended elsewhere, or has expired. */
export type SignedOutReason = "signed_out" | "ended";

export interface ClientOptions {
  /** The public address of the service, such as `https://auth.example.com`. Default: the origin of the page. */
  baseUrl?: string | undefined;
  /** For a client that is no browser: tokens instead of cookies, kept here. */
  storage?: TokenStorage | undefined;
  /** How long a call may take, with the refresh and the retry that it may need. Default: 20 seconds. */
  timeoutMs?: number | undefined;
  /** Default: the global one. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Called once when a session that this client has used is over. */
  onSignedOut?: ((reason: SignedOutReason) => void) | undefined;
}

export interface Login {
  /** A user name or an address. */
  login: string;
  password: string;
  /** Keeps the session when the browser is closed. */
  remember?: boolean;
}

export interface Registration {
  email: string;
  password: string;
  /** Default: the address. */
  username?: string;
  /** Default: the user name. */
  display_name?: string;
  /** Such as `Europe/Berlin`. */
  timezone?: string;
  /** Such as `de-AT`. Default: what the browser asks for. */
  locale?: string;
  remember?: boolean;
}

/** What somebody chooses who has no account yet. Whoever has one and is signed in to it gives the token alone. */
export interface Acceptance extends Partial<Omit<Registration, "email">> {
  /** As it was mailed. */
  token: string;
}

/** What is not given stays; null empties. */
export interface ProfileEdit {
  display_name?: string;
  username?: string;
  /** Takes `current_password`, and is `pending_email` until its mailbox has confirmed it. */
  email?: string;
  avatar_url?: string | null;
  /** Such as `Europe/Berlin`. */
  timezone?: string | null;
  /** Such as `de-AT`. */
  locale?: string | null;
  current_password?: string;
}

/** A function a route, by the operation ids of the OpenAPI document. */
export interface Client {
  /** Of an account with a second step it ends in `mfa_required`, and goes on with `verifyLogin`. */
  login(input: Login, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** What a sign-in waits for, in the browser that has begun it. */
  getLoginChallenge(id: string, options?: CallOptions): Promise<Result<LoginChallenge>>;
  /** The second step of a sign-in. */
  verifyLogin(input: FactorAnswer & { challenge: string }, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** For a sign-in without a name: resolves to what `getPasskey` of `gatehouse-client/passkeys` takes. */
  getPasskeyRequestOptions(options?: CallOptions): Promise<Result<{ options: PasskeyRequestOptions }>>;
  loginWithPasskey(
    input: { credential: PasskeyAnswer; remember?: boolean },
    options?: CallOptions,
  ): Promise<Result<{ user: User }>>;
  /** The answer is the same whether or not the account exists. */
  requestEmailLogin(input: { login: string }, options?: CallOptions): Promise<Result>;
  /** By the `token` of the mail's link; or by the `login` and the mail's `code`, in the browser that has asked. */
  confirmEmailLogin(
    input: { token?: string; login?: string; code?: string; remember?: boolean },
    options?: CallOptions,
  ): Promise<Result<{ user: User }>>;
  /** Where addresses have to be verified first, nobody is signed in, and `requires_email_verification` is there instead of `user`. */
  register(
    input: Registration,
    options?: CallOptions,
  ): Promise<Result<{ user?: User; requires_email_verification?: true }>>;
  logout(options?: CallOptions): Promise<Result>;
  /** Ends all sessions of the user, this one included. */
  logoutAll(options?: CallOptions): Promise<Result>;
  /** Rarely needed: a call that needs it refreshes by itself. */
  refresh(options?: CallOptions): Promise<Result<{ user: User }>>;
  /** `mfa_setup_required`: the session may do nothing but set up its second factor. */
  getMe(options?: CallOptions): Promise<Result<{ user: User; mfa_setup_required: boolean }>>;
  updateProfile(input: ProfileEdit, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Newest first. */
  listSessions(options?: CallOptions): Promise<Result<{ sessions: Session[] }>>;
  revokeSession(id: string, options?: CallOptions): Promise<Result>;
  /** Ends the other sessions. */
  changePassword(
    input: { current_password: string; new_password: string },
    options?: CallOptions,
  ): Promise<Result<{ user: User }>>;
  /** Gives the password or a second factor again, after `reauthentication_required`. */
  reauthenticate(input: Partial<FactorAnswer> & { current_password?: string }, options?: CallOptions): Promise<Result>;
  /** By which second factors that can be, and what `getPasskey` takes. */
  getReauthenticationOptions(
    options?: CallOptions,
  ): Promise<Result<{ methods: FactorName[]; passkey_options?: PasskeyRequestOptions }>>;
  getMfa(options?: CallOptions): Promise<Result<Mfa>>;
  /** Ends the mailed link that takes the second factor back; takes a fresh proof by a second factor. */
  endTakeBack(options?: CallOptions): Promise<Result>;
  /** Takes a fresh proof, as every change of a second factor does, see `reauthenticate`. Nothing changes until it is confirmed. */
  setUpTotp(options?: CallOptions): Promise<Result<TotpSetup>>;
  /** The codes are shown this once. */
  confirmTotp(input: { code: string }, options?: CallOptions): Promise<Result<{ recovery_codes: string[] }>>;
  removeTotp(options?: CallOptions): Promise<Result>;
  /** In place of those that are left. */
  renewRecoveryCodes(options?: CallOptions): Promise<Result<{ recovery_codes: string[] }>>;
  /** Resolves to what `createPasskey` of `gatehouse-client/passkeys` takes. */
  getPasskeyCreationOptions(options?: CallOptions): Promise<Result<{ options: PasskeyCreationOptions }>>;
  /** Without a name it is called after where it is kept. */
  addPasskey(
    input: { credential: NewPasskey; name?: string },
    options?: CallOptions,
  ): Promise<Result<{ passkey: Passkey }>>;
  renamePasskey(id: string, input: { name: string }, options?: CallOptions): Promise<Result<{ passkey: Passkey }>>;
  removePasskey(id: string, options?: CallOptions): Promise<Result>;
  /** The answer is the same whether or not the account exists. `reset_token` is there locally only. */
  requestPasswordReset(input: { login: string }, options?: CallOptions): Promise<Result<{ reset_token?: string }>>;
  /** What the reset removes: identities and second factors of the last seven days. Redeems nothing. */
  inspectPasswordReset(input: { token: string }, options?: CallOptions): Promise<Result<{ added: Added[] }>>;
  /** Ends all sessions of the user, and removes what was added lately but for the ids in `keep`. */
  confirmPasswordReset(
    input: { token: string; new_password: string; keep?: string[] },
    options?: CallOptions,
  ): Promise<Result>;
  /** `verification_token` is there locally only. */
  requestEmailVerification(options?: CallOptions): Promise<Result<{ verification_token?: string }>>;
  confirmEmailVerification(input: { token: string }, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** "This was not me": the account loses every way in, or its move to the address is dropped. */
  rejectEmailVerification(input: { token: string }, options?: CallOptions): Promise<Result>;
  /** Puts the old address back and ends all sessions. */
  undoEmailChange(input: { token: string }, options?: CallOptions): Promise<Result>;
  /** What the token of a mailed invitation stands for. */
  showInvitation(input: { token: string }, options?: CallOptions): Promise<Result<{ invitation: Invitation }>>;
  /** Makes the account and signs in, or gives the account that is signed in what it was invited to. */
  acceptInvitation(input: Acceptance, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Accepts with a provider: resolves to the address for the browser to open. */
  startInvitedLogin(
    input: { token: string; next?: string },
    provider: string,
    options?: CallOptions,
  ): Promise<Result<{ location: string }>>;
  /** Takes a fresh proof of identity, see `reauthenticate`. Older events come with the `next` of the answer before. */
  exportAccount(input?: { events_before?: string }, options?: CallOptions): Promise<Result<AccountExport>>;
  /** For good. Takes the password, or a fresh proof of identity where the account has none. */
  deleteAccount(input: { current_password?: string }, options?: CallOptions): Promise<Result>;
  listIdentities(options?: CallOptions): Promise<Result<{ identities: Identity[] }>>;
  unlinkIdentity(id: string, options?: CallOptions): Promise<Result>;
  listProviders(options?: CallOptions): Promise<Result<{ providers: Provider[] }>>;
  /** The address for the browser to open: `location.assign(client.startProviderLogin("github", "/account"))`. */
  startProviderLogin(provider: string, next?: string): string;
  /** The same, to link the provider to the signed-in account. */
  startProviderLink(provider: string, next?: string): string;
  /** Whether the user has that role, a verified address, and has proven who they are within so many seconds. */
  verify(demands?: { role?: string; verified?: true; max_age?: number }, options?: CallOptions): Promise<Result>;
  /** For backends: whose access token it is, by a service's secret with the scope `introspect`. */
  introspect(input: { token: string }, secret: string, options?: CallOptions): Promise<Result<Introspection>>;
  /** Where access tokens are signed with a private key: the keys to verify them by. */
  getJwks(options?: CallOptions): Promise<Result<{ keys: PublicKey[] }>>;
  getHealth(options?: CallOptions): Promise<Result<{ status: "ok" }>>;
  /** A service that is not ready answers 503, which is the failure `unavailable`. */
  getReadiness(options?: CallOptions): Promise<Result<{ status: "ready" | "not_ready"; app: string }>>;
  hello(options?: CallOptions): Promise<Result<{ text: string }>>;
}
