import {
  nothing,
  withActivity,
  withChallenge,
  withCreationOptions,
  withExport,
  withHealth,
  withAdded,
  withIdentities,
  withProviders,
  withInvitation,
  withKeys,
  withLocation,
  withMe,
  withMethods,
  withMfa,
  withPasskey,
  withReadiness,
  withRecoveryCodes,
  withRequestOptions,
  withResetToken,
  withSessions,
  withText,
  withTotpSetup,
  withUser,
  withUserOrNone,
  withVerificationToken,
} from "./answers.ts";
import { createCookies, createTokens } from "./credentials.ts";
import { withQuery } from "./paths.ts";
import { createSession } from "./session.ts";
import { createTabs } from "./tabs.ts";
import { createSend, type Outgoing } from "./transport.ts";
import type { User } from "./model.ts";
import type { CallOptions, Client, ClientOptions, Result } from "./types.ts";

export type * from "./model.ts";
export type * from "./codes.ts";
export type * from "./factors.ts";
export type * from "./types.ts";

const prefix = "/api/v1/auth";
type Expects<T> = Outgoing<T>["expects"];
const getAt = <T>(path: string, expects: Expects<T>): Outgoing<T> => ({ method: "GET", path, expects });
const get = <T>(path: string, expects: Expects<T>): Outgoing<T> => getAt(`${prefix}/${path}`, expects);
const post = <T>(path: string, expects: Expects<T>, body?: object): Outgoing<T> => ({
  method: "POST",
  path: `${prefix}/${path}`,
  expects,
  body,
});

/** Creates a client of the service at one address. A page or a program needs only one. */
export function createClient(options: ClientOptions = {}): Client {
  const { storage, timeoutMs = 20_000, onSignedOut } = options;
  const baseUrl = (options.baseUrl ?? "").replace(/\/+$/, "");
  const tabs = createTabs(`gatehouse ${baseUrl}`);
  const credentials = storage === undefined ? createCookies(tabs) : createTokens(storage);
  const send = createSend(options, baseUrl, credentials.mode);
  const session = createSession({ send, credentials, tabs, timeoutMs, onSignedOut });
  const { open, known, guarded } = session;

  const postToSignIn = async <T>(path: string, expects: Expects<T>, input: object): Promise<Outgoing<T>> =>
    post(path, expects, await credentials.signingIn(input));

  /** Keeps the session of an answer, where the answer brings one. */
  async function beginning<T extends { user?: User }>(result: Result<T>): Promise<Result<T>> {
    if (result.ok && result.user !== undefined) await session.begin(result);
    return result;
  }

  /** Forgets the session once a route has ended it. */
  async function ending(result: Result): Promise<Result> {
    if (result.ok) await session.end("signed_out");
    return result;
  }

  const me = get("me", withMe);
  const byId = (id: string): string => encodeURIComponent(id);

  const providerUrl = (provider: string, path: string, next?: string): string =>
    `${baseUrl}${prefix}/oauth/${encodeURIComponent(provider)}/${withQuery(path, { next })}`;

  /** Sends a sign-in. The request carries no credentials. */
  const signIn = async (path: string, input: object, call?: CallOptions): Promise<Result<{ user: User }>> =>
    beginning(await open(await postToSignIn(path, withUser, input), call));

  return {
    login: (input, call) => signIn("login", input, call),
    getLoginChallenge: (id, call) => open(get(withQuery("login/challenge", { id }), withChallenge), call),
    verifyLogin: (input, call) => signIn("login/verify", input, call),
    getPasskeyRequestOptions: async (call) =>
      open(await postToSignIn("passkeys/login/options", withRequestOptions, {}), call),
    loginWithPasskey: (input, call) => signIn("passkeys/login/verify", input, call),
    requestEmailLogin: (input, call) => open(post("email-login/request", nothing, input), call),
    confirmEmailLogin: (input, call) => signIn("email-login/confirm", input, call),
    register: async (input, call) => beginning(await open(await postToSignIn("register", withUserOrNone, input), call)),
    logout: async (call) => ending(await guarded(post("logout", nothing), call)),
    logoutAll: async (call) => ending(await guarded(post("logout-all", nothing), call)),
    refresh: (call) => session.refresh(me, call),
    getMe: (call) => guarded(me, call),
    updateProfile: (input, call) => guarded(post("profile", withUser, input), call),
    listSessions: (call) => guarded(get("sessions", withSessions), call),
    revokeSession: (id, call) => guarded(post(`sessions/${byId(id)}/revoke`, nothing), call),
    changePassword: async (input, call) =>
      beginning(await guarded(await postToSignIn("change-password", withUser, input), call)),
    reauthenticate: (input, call) => guarded(post("reauthenticate", nothing, input), call),
    getReauthenticationOptions: (call) => guarded(post("reauthenticate/options", withMethods), call),
    getMfa: (call) => guarded(get("mfa", withMfa), call),
    endTakeBack: (call) => guarded(post("mfa/take-back/void", nothing), call),
    setUpTotp: (call) => guarded(post("mfa/totp/setup", withTotpSetup), call),
    confirmTotp: (input, call) => guarded(post("mfa/totp/confirm", withRecoveryCodes, input), call),
    removeTotp: (call) => guarded(post("mfa/totp/remove", nothing), call),
    renewRecoveryCodes: (call) => guarded(post("mfa/recovery-codes", withRecoveryCodes), call),
    getPasskeyCreationOptions: (call) => guarded(post("passkeys/register/options", withCreationOptions), call),
    addPasskey: (input, call) => guarded(post("passkeys/register/verify", withPasskey, input), call),
    renamePasskey: (id, input, call) => guarded(post(`passkeys/${byId(id)}/rename`, withPasskey, input), call),
    removePasskey: (id, call) => guarded(post(`passkeys/${byId(id)}/remove`, nothing), call),
    requestPasswordReset: (input, call) => open(post("password-reset/request", withResetToken, input), call),
    inspectPasswordReset: (input, call) => open(post("password-reset/inspect", withAdded, input), call),
    confirmPasswordReset: (input, call) => open(post("password-reset/confirm", nothing, input), call),
    requestEmailVerification: (call) => guarded(post("email-verification/request", withVerificationToken), call),
    confirmEmailVerification: (input, call) => known(post("email-verification/confirm", withUser, input), call),
    rejectEmailVerification: (input, call) => open(post("email-verification/reject", nothing, input), call),
    undoEmailChange: (input, call) => open(post("email-change/undo", nothing, input), call),
    showInvitation: (input, call) => known(post("invitation", withInvitation, input), call),
    acceptInvitation: async (input, call) =>
      beginning(await known(await postToSignIn("invitation/accept", withUser, input), call)),
    startInvitedLogin: (input, provider, call) =>
      open(post(`oauth/${byId(provider)}/invitation/start`, withLocation, input), call),
    exportAccount: (input, call) => guarded(get(withQuery("account/export", input), withExport), call),
    deleteAccount: async (input, call) => ending(await guarded(post("account/delete", nothing, input), call)),
    listIdentities: (call) => guarded(get("identities", withIdentities), call),
    unlinkIdentity: (id, call) => guarded(post(`identities/${byId(id)}/unlink`, nothing), call),
    listProviders: (call) => open(get("providers", withProviders), call),
    startProviderLogin: (provider, next) => providerUrl(provider, "start", next),
    startProviderLink: (provider, next) => providerUrl(provider, "link/start", next),
    verify: (demands, call) => guarded(get(withQuery("verify", demands), nothing), call),
    introspect: (input, secret, call) =>
      open({ ...post("introspect", withActivity, input), headers: { authorization: `Bearer ${secret}` } }, call),
    getJwks: (call) => open(getAt("/.well-known/jwks.json", withKeys), call),
    getHealth: (call) => open(getAt("/-/health", withHealth), call),
    getReadiness: (call) => open(getAt("/-/ready", withReadiness), call),
    hello: (call) => guarded(getAt("/api/v1/hello", withText), call),
  };
}
