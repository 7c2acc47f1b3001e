import type { OrganizationClient } from "./organization/types.ts";
import type { AccountExport } from "./export.model.ts";
import type {
  Added,
  ConnectedApp,
  FactorName,
  Identity,
  Introspection,
  Invitation,
  MailedLink,
  Me,
  OwnUser,
  PersonalToken,
  Provider,
  PublicKey,
  Session,
  TokenStorage,
  User,
} from "./model.ts";
import type { Acceptance, Login, ProfileEdit, ProviderRegistration, Registration } from "./inputs.ts";
import type { CallOptions, Result } from "./result.types.ts";
import type {
  FactorAnswer,
  LoginChallenge,
  Mfa,
  NewPasskey,
  Passkey,
  PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeyOffer,
  PasskeyRequestOptions,
  PasskeySignal,
  TotpSetup,
} from "./factors.ts";

/** `signed_out`: this client signed out. `ended`: the session was ended elsewhere, or has expired. */
export type SignedOutReason = "signed_out" | "ended";

/** What happened to the session of the browser or program, in this tab or another one. */
export type SessionChange = "signed_in" | SignedOutReason;

export interface ClientOptions {
  /** The public address of the service, such as `https://auth.example.com`. Default: the origin of the page. */
  baseUrl?: string | undefined;
  /** Holds tokens in place of cookies, for a client without a browser. */
  storage?: TokenStorage | undefined;
  /** How long a call may take, including a refresh and a retry. Default: 20 seconds. */
  timeoutMs?: number | undefined;
  /** Default: the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Other origins that `fetch` of the client may send to, such as `https://api.example.com`. */
  origins?: readonly string[] | undefined;
  /** Called once when a session that this client has used is over. */
  onSignedOut?: ((reason: SignedOutReason) => void) | undefined;
}

/** The routes, one function each, named by the operation ids of the OpenAPI document. */
export interface Client extends OrganizationClient {
  /** Calls the listener when somebody signs in or out, in this tab or another one of its origin. Returns a function that ends it. */
  onChange(listener: (change: SessionChange) => void): () => void;
  /**
   * Sends a request to an API of the app as the signed-in user, and resolves to its answer as the global `fetch` does. After a 401 the client
   * refreshes and sends it once more. Throws for an origin that is neither the page's, nor the service's, nor listed.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Signs in. For an account with a second step the result is `mfa_required`, and `verifyLogin` goes on. */
  login(input: Login, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Resolves to the second step that a sign-in waits for, in the browser that began it. */
  getLoginChallenge(id: string, options?: CallOptions): Promise<Result<LoginChallenge>>;
  /** Finishes a sign-in by its second step. */
  verifyLogin(input: FactorAnswer & { challenge: string }, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Begins a sign-in without a name: resolves to the options that `getPasskey` of `gatehouse-client/passkeys` takes. */
  getPasskeyRequestOptions(options?: CallOptions): Promise<Result<{ options: PasskeyRequestOptions }>>;
  loginWithPasskey(
    input: { credential: PasskeyAnswer; remember?: boolean },
    options?: CallOptions,
  ): Promise<Result<{ user: User }>>;
  /** Takes the password off the account of a person with two passkeys, where the service allows it, and ends the other sessions. */
  removePassword(options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Mails a link. The answer is the same whether or not the account exists. */
  requestEmailLogin(input: { login: string }, options?: CallOptions): Promise<Result>;
  /** Signs in by the mailed `token`, or by the `login` and the mailed `code` in the browser that asked for the mail. */
  confirmEmailLogin(
    input: { token?: string; login?: string; code?: string; remember?: boolean },
    options?: CallOptions,
  ): Promise<Result<{ user: User }>>;
  /** Makes an account. Where addresses are verified first, `requires_email_verification` takes the place of `user`: nobody is signed in. */
  register(
    input: Registration,
    options?: CallOptions,
  ): Promise<Result<{ user?: User; requires_email_verification?: true }>>;
  logout(options?: CallOptions): Promise<Result>;
  /** Ends all sessions of the user, this one included. */
  logoutAll(options?: CallOptions): Promise<Result>;
  /** Refreshes the session. Pages rarely need it: a call that needs a refresh makes one by itself. */
  refresh(options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Resolves to the user, and to what the session has yet to do. */
  getMe(options?: CallOptions): Promise<Result<Me>>;
  updateProfile(input: ProfileEdit, options?: CallOptions): Promise<Result<{ user: OwnUser }>>;
  /** Lists the sessions of the user, newest first. */
  listSessions(options?: CallOptions): Promise<Result<{ sessions: Session[] }>>;
  revokeSession(id: string, options?: CallOptions): Promise<Result>;
  /** Changes the password and ends the other sessions. */
  changePassword(
    input: { current_password: string; new_password: string },
    options?: CallOptions,
  ): Promise<Result<{ user: User }>>;
  /** Proves the identity again by the password or a second factor, after `reauthentication_required`. */
  reauthenticate(input: Partial<FactorAnswer> & { current_password?: string }, options?: CallOptions): Promise<Result>;
  /** Resolves to the second factors that can prove the identity again, and to the options that `getPasskey` takes. */
  getReauthenticationOptions(
    options?: CallOptions,
  ): Promise<Result<{ methods: FactorName[]; passkey_options?: PasskeyRequestOptions }>>;
  getMfa(options?: CallOptions): Promise<Result<Mfa>>;
  /** Ends the mailed link that takes a new second factor back. Needs a fresh proof by a second factor. */
  endTakeBack(options?: CallOptions): Promise<Result>;
  /** Begins to set up an authenticator app. Needs a fresh proof, as does every change of a second factor, see `reauthenticate`. */
  setUpTotp(options?: CallOptions): Promise<Result<TotpSetup>>;
  /** Completes the set-up of the app. The recovery codes are shown only this once. */
  confirmTotp(input: { code: string }, options?: CallOptions): Promise<Result<{ recovery_codes: string[] }>>;
  removeTotp(options?: CallOptions): Promise<Result>;
  /** Replaces the recovery codes that are left. */
  renewRecoveryCodes(options?: CallOptions): Promise<Result<{ recovery_codes: string[] }>>;
  /** Resolves to the options that `createPasskey` of `gatehouse-client/passkeys` takes. */
  getPasskeyCreationOptions(options?: CallOptions): Promise<Result<{ options: PasskeyCreationOptions }>>;
  /** Resolves to what `offerPasskey` of `gatehouse-client/passkeys` takes; null where no passkey is to be made unasked. */
  getPasskeyOffer(options?: CallOptions): Promise<Result<{ options: PasskeyOffer | null }>>;
  /** Adds a passkey. Without a name, the passkey is named after the place that keeps it. */
  addPasskey(
    input: { credential: NewPasskey; name?: string },
    options?: CallOptions,
  ): Promise<Result<{ passkey: Passkey }>>;
  renamePasskey(id: string, input: { name: string }, options?: CallOptions): Promise<Result<{ passkey: Passkey }>>;
  removePasskey(id: string, options?: CallOptions): Promise<Result>;
  /** Resolves to what `tellPasskeys` of `gatehouse-client/passkeys` takes; null for an account that never had a passkey here. */
  getPasskeySignal(options?: CallOptions): Promise<Result<{ signal: PasskeySignal | null }>>;
  /** Mails a link. The answer is the same whether or not the account exists. Only a local service answers with `reset_token`. */
  requestPasswordReset(input: { login: string }, options?: CallOptions): Promise<Result<{ reset_token?: string }>>;
  /**
   * Resolves to the identities and second factors of the last seven days, which a reset removes, to whether the account has a password yet,
   * and whether the link came with the mail about a sign-in. Redeems nothing.
   */
  inspectPasswordReset(
    input: { token: string },
    options?: CallOptions,
  ): Promise<Result<{ sign_in: boolean; has_password: boolean; added: Added[] }>>;
  /** Ends the session that the mail about a sign-in from a new device tells of. The token stays good for a new password. */
  rejectSignIn(input: { token: string }, options?: CallOptions): Promise<Result>;
  /** Sets the password and ends all sessions. Removes what was added in the last seven days, except for the ids in `keep`. */
  confirmPasswordReset(
    input: { token: string; new_password: string; keep?: string[] },
    options?: CallOptions,
  ): Promise<Result>;
  /** Mails a link. Only a local service answers with `verification_token`. */
  requestEmailVerification(options?: CallOptions): Promise<Result<{ verification_token?: string }>>;
  /** Says whether a mailed link would do something now. Redeems nothing, as the other two functions of that kind. */
  inspectEmailVerification(
    input: { token: string },
    options?: CallOptions,
  ): Promise<Result<MailedLink<"address" | "new_address">>>;
  inspectEmailChange(
    input: { token: string },
    options?: CallOptions,
  ): Promise<Result<MailedLink<"waiting_change" | "change">>>;
  inspectEmailLogin(input: { token: string }, options?: CallOptions): Promise<Result<MailedLink<"sign_in">>>;
  confirmEmailVerification(input: { token: string }, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Says "this was not me": the account loses every way in, or its move to the address is dropped. */
  rejectEmailVerification(input: { token: string }, options?: CallOptions): Promise<Result>;
  /** Puts the old address back and ends all sessions. */
  undoEmailChange(input: { token: string }, options?: CallOptions): Promise<Result>;
  /** Resolves to the invitation that the token was mailed for. */
  showInvitation(input: { token: string }, options?: CallOptions): Promise<Result<{ invitation: Invitation }>>;
  /** Makes the account and signs in; or gives the signed-in account what the invitation offers. */
  acceptInvitation(input: Acceptance, options?: CallOptions): Promise<Result<{ user: User }>>;
  /** Accepts an invitation with a provider: resolves to the address that the browser has to open. */
  startInvitedLogin(
    input: { token: string; next?: string },
    provider: string,
    options?: CallOptions,
  ): Promise<Result<{ location: string }>>;
  /** Makes the account of somebody who came by a provider for the first time, once they accept the terms, and signs in. */
  registerByProvider(
    input: ProviderRegistration,
    provider: string,
    options?: CallOptions,
  ): Promise<Result<{ user: User }>>;
  /** Exports the account. Needs a fresh proof of identity, see `reauthenticate`. The `next` of an answer leads to older events. */
  exportAccount(input?: { events_before?: string }, options?: CallOptions): Promise<Result<AccountExport>>;
  /** Deletes the account for good. Needs the password, or a fresh proof of identity where the account has none. */
  deleteAccount(input: { current_password?: string }, options?: CallOptions): Promise<Result>;
  /** Makes a token for a script of the person's own; `token` is shown this once. Needs a fresh proof. */
  createPersonalToken(
    input: { name: string; expires_in?: number },
    options?: CallOptions,
  ): Promise<Result<{ token: string; personal_token: PersonalToken }>>;
  listPersonalTokens(options?: CallOptions): Promise<Result<{ tokens: PersonalToken[] }>>;
  revokePersonalToken(id: string, options?: CallOptions): Promise<Result>;
  /** Lists the programs that the user has signed in to by this account. */
  listApps(options?: CallOptions): Promise<Result<{ apps: ConnectedApp[] }>>;
  /** Takes back what the user has let a program have, and ends every session that it holds. */
  revokeApp(input: { client_id: string }, options?: CallOptions): Promise<Result>;
  listIdentities(options?: CallOptions): Promise<Result<{ identities: Identity[] }>>;
  unlinkIdentity(id: string, options?: CallOptions): Promise<Result>;
  listProviders(options?: CallOptions): Promise<Result<{ providers: Provider[] }>>;
  /** Returns the address that the browser has to open: `location.assign(client.startProviderLogin("github", "/account"))`. */
  startProviderLogin(provider: string, next?: string): string;
  /** Returns the address that links the provider to the signed-in account; the browser has to open it. */
  startProviderLink(provider: string, next?: string): string;
  /** Checks the given demands: the role, a verified address, a proof of identity within the last `max_age` seconds, the organization that the session acts for, the role in it, the resource server that a program's token names. */
  verify(
    demands?: { role?: string; verified?: true; max_age?: number; org?: string; org_role?: string; resource?: string },
    options?: CallOptions,
  ): Promise<Result>;
  /** Resolves to the owner of an access token. For backends: needs the secret of a service with the scope `introspect`. */
  introspect(input: { token: string }, secret: string, options?: CallOptions): Promise<Result<Introspection>>;
  /** Resolves to the keys that verify access tokens, where the service signs them with a private key. */
  getJwks(options?: CallOptions): Promise<Result<{ keys: PublicKey[] }>>;
  getHealth(options?: CallOptions): Promise<Result<{ status: "ok" }>>;
  /** Resolves to whether the service is ready. A service that is not ready answers 503, which is the failure `unavailable`. */
  getReadiness(options?: CallOptions): Promise<Result<{ status: "ready" | "not_ready"; app: string }>>;
  hello(options?: CallOptions): Promise<Result<{ text: string }>>;
}
