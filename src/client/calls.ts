import type { Me } from "./model.ts";
import { get, post, prefix, requestOf, withQuery } from "./transport/requests.ts";
import type { Sending } from "./transport/sending.ts";
import type { Client } from "./types.ts";

const me = get<Me>("me", "user");
const byId = (id: string): string => encodeURIComponent(id);

/** Signing in and out, and what is signed in. */
export const sessionCalls = ({ open, known, guarded, postToSignIn, beginning, ending, signIn, refresh }: Sending) =>
  ({
    login: (input, call) => signIn("login", input, call),
    getLoginChallenge: (id, call) => open(get(withQuery("login/challenge", { id }), "methods"), call),
    verifyLogin: (input, call) => signIn("login/verify", input, call),
    getPasskeyRequestOptions: async (call) => open(await postToSignIn("passkeys/login/options", "options", {}), call),
    loginWithPasskey: (input, call) => signIn("passkeys/login/verify", input, call),
    requestEmailLogin: (input, call) => open(post("email-login/request", "ok", input), call),
    inspectEmailLogin: (input, call) => open(post("email-login/inspect", "good", input), call),
    confirmEmailLogin: (input, call) => signIn("email-login/confirm", input, call),
    register: async (input, call) =>
      beginning(await open(await postToSignIn("register", ["user", "requires_email_verification"], input), call)),
    registerByProvider: (input, provider, call) => signIn(`oauth/${byId(provider)}/register`, input, call),
    showInvitation: (input, call) => known(post("invitation", "invitation", input), call),
    acceptInvitation: async (input, call) =>
      beginning(await known(await postToSignIn("invitation/accept", "user", input), call)),
    logout: async (call) => ending(await guarded(post("logout", "ok"), call)),
    logoutAll: async (call) => ending(await guarded(post("logout-all", "ok"), call)),
    refresh: (call) => refresh(me, call),
    listSessions: (call) => guarded(get("sessions", "sessions"), call),
    revokeSession: (id, call) => guarded(post(`sessions/${byId(id)}/revoke`, "ok"), call),
    reauthenticate: (input, call) => guarded(post("reauthenticate", "ok", input), call),
    getReauthenticationOptions: (call) => guarded(post("reauthenticate/options", "methods"), call),
  }) satisfies Partial<Client>;

/** The account itself: its profile, password, address and data. */
export const accountCalls = ({ open, known, guarded, postToSignIn, beginning, ending }: Sending) =>
  ({
    getMe: (call) => guarded(me, call),
    updateProfile: (input, call) => guarded(post("profile", "user", input), call),
    changePassword: async (input, call) =>
      beginning(await guarded(await postToSignIn("change-password", "user", input), call)),
    removePassword: (call) => guarded(post("password/remove", "user"), call),
    requestPasswordReset: (input, call) => open(post("password-reset/request", "ok", input), call),
    inspectPasswordReset: (input, call) => open(post("password-reset/inspect", "added", input), call),
    rejectSignIn: (input, call) => open(post("password-reset/reject", "ok", input), call),
    confirmPasswordReset: (input, call) => open(post("password-reset/confirm", "ok", input), call),
    requestEmailVerification: (call) => guarded(post("email-verification/request", "ok"), call),
    inspectEmailVerification: (input, call) => open(post("email-verification/inspect", "good", input), call),
    confirmEmailVerification: (input, call) => known(post("email-verification/confirm", "user", input), call),
    rejectEmailVerification: (input, call) => open(post("email-verification/reject", "ok", input), call),
    inspectEmailChange: (input, call) => open(post("email-change/inspect", "good", input), call),
    undoEmailChange: (input, call) => open(post("email-change/undo", "ok", input), call),
    exportAccount: (input, call) => guarded(get(withQuery("account/export", input), "exported_at"), call),
    deleteAccount: async (input, call) => ending(await guarded(post("account/delete", "ok", input), call)),
  }) satisfies Partial<Client>;

/** The second factors of the account. */
export const factorCalls = ({ guarded }: Sending) =>
  ({
    getMfa: (call) => guarded(get("mfa", "passkeys"), call),
    endTakeBack: (call) => guarded(post("mfa/take-back/void", "ok"), call),
    setUpTotp: (call) => guarded(post("mfa/totp/setup", "otpauth_uri"), call),
    confirmTotp: (input, call) => guarded(post("mfa/totp/confirm", "recovery_codes", input), call),
    removeTotp: (call) => guarded(post("mfa/totp/remove", "ok"), call),
    renewRecoveryCodes: (call) => guarded(post("mfa/recovery-codes", "recovery_codes"), call),
    getPasskeyCreationOptions: (call) => guarded(post("passkeys/register/options", "options"), call),
    getPasskeyOffer: (call) => guarded(post("passkeys/register/offer", "options"), call),
    addPasskey: (input, call) => guarded(post("passkeys/register/verify", "passkey", input), call),
    renamePasskey: (id, input, call) => guarded(post(`passkeys/${byId(id)}/rename`, "passkey", input), call),
    removePasskey: (id, call) => guarded(post(`passkeys/${byId(id)}/remove`, "ok"), call),
    getPasskeySignal: (call) => guarded(get("passkeys/signal", "signal"), call),
  }) satisfies Partial<Client>;

/** The providers by which people sign in. */
export const providerCalls = ({ open, guarded, baseUrl }: Sending) => {
  const urlOf = (provider: string, path: string, next?: string): string =>
    `${baseUrl}${prefix}/oauth/${byId(provider)}/${withQuery(path, { next })}`;
  return {
    createPersonalToken: (input, call) => guarded(post("tokens", "token", input), call),
    listPersonalTokens: (call) => guarded(get("tokens", "tokens"), call),
    revokePersonalToken: (id, call) => guarded(post(`tokens/${byId(id)}/revoke`, "ok"), call),
    listApps: (call) => guarded(get("apps", "apps"), call),
    revokeApp: (input, call) => guarded(post("apps/revoke", "ok", input), call),
    listIdentities: (call) => guarded(get("identities", "identities"), call),
    unlinkIdentity: (id, call) => guarded(post(`identities/${byId(id)}/unlink`, "ok"), call),
    listProviders: (call) => open(get("providers", "providers"), call),
    startInvitedLogin: (input, provider, call) =>
      open(post(`oauth/${byId(provider)}/invitation/start`, "location", input), call),
    startProviderLogin: (provider, next) => urlOf(provider, "start", next),
    startProviderLink: (provider, next) => urlOf(provider, "link/start", next),
  } satisfies Partial<Client>;
};

/** What other programs ask. */
export const programCalls = ({ open, guarded }: Sending) =>
  ({
    verify: (demands, call) => guarded(get(withQuery("verify", demands), "ok"), call),
    introspect: (input, secret, call) =>
      open({ ...post("introspect", "active", input), headers: { authorization: `Bearer ${secret}` } }, call),
    getJwks: (call) => open(requestOf("GET", "/.well-known/jwks.json", "keys"), call),
    getHealth: (call) => open(requestOf("GET", "/-/health", "status"), call),
    getReadiness: (call) => open(requestOf("GET", "/-/ready", "status"), call),
    hello: (call) => guarded(requestOf("GET", "/api/v1/hello", "text"), call),
  }) satisfies Partial<Client>;
