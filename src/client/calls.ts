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
import { withQuery } from "./transport/paths.ts";
import { get, getAt, post, prefix, type Sending } from "./transport/sending.ts";
import type { Client } from "./types.ts";

const me = get("me", withMe);
const byId = (id: string): string => encodeURIComponent(id);

/** Signing in and out, and what is signed in. */
export const sessionCalls = ({ open, known, guarded, postToSignIn, beginning, ending, signIn, refresh }: Sending) =>
  ({
    login: (input, call) => signIn("login", input, call),
    getLoginChallenge: (id, call) => open(get(withQuery("login/challenge", { id }), withChallenge), call),
    verifyLogin: (input, call) => signIn("login/verify", input, call),
    getPasskeyRequestOptions: async (call) =>
      open(await postToSignIn("passkeys/login/options", withRequestOptions, {}), call),
    loginWithPasskey: (input, call) => signIn("passkeys/login/verify", input, call),
    requestEmailLogin: (input, call) => open(post("email-login/request", nothing, input), call),
    confirmEmailLogin: (input, call) => signIn("email-login/confirm", input, call),
    register: async (input, call) => beginning(await open(await postToSignIn("register", withUserOrNone, input), call)),
    showInvitation: (input, call) => known(post("invitation", withInvitation, input), call),
    acceptInvitation: async (input, call) =>
      beginning(await known(await postToSignIn("invitation/accept", withUser, input), call)),
    logout: async (call) => ending(await guarded(post("logout", nothing), call)),
    logoutAll: async (call) => ending(await guarded(post("logout-all", nothing), call)),
    refresh: (call) => refresh(me, call),
    listSessions: (call) => guarded(get("sessions", withSessions), call),
    revokeSession: (id, call) => guarded(post(`sessions/${byId(id)}/revoke`, nothing), call),
    reauthenticate: (input, call) => guarded(post("reauthenticate", nothing, input), call),
    getReauthenticationOptions: (call) => guarded(post("reauthenticate/options", withMethods), call),
  }) satisfies Partial<Client>;

/** The account itself: its profile, password, address and data. */
export const accountCalls = ({ open, known, guarded, postToSignIn, beginning, ending }: Sending) =>
  ({
    getMe: (call) => guarded(me, call),
    updateProfile: (input, call) => guarded(post("profile", withUser, input), call),
    changePassword: async (input, call) =>
      beginning(await guarded(await postToSignIn("change-password", withUser, input), call)),
    requestPasswordReset: (input, call) => open(post("password-reset/request", withResetToken, input), call),
    inspectPasswordReset: (input, call) => open(post("password-reset/inspect", withAdded, input), call),
    confirmPasswordReset: (input, call) => open(post("password-reset/confirm", nothing, input), call),
    requestEmailVerification: (call) => guarded(post("email-verification/request", withVerificationToken), call),
    confirmEmailVerification: (input, call) => known(post("email-verification/confirm", withUser, input), call),
    rejectEmailVerification: (input, call) => open(post("email-verification/reject", nothing, input), call),
    undoEmailChange: (input, call) => open(post("email-change/undo", nothing, input), call),
    exportAccount: (input, call) => guarded(get(withQuery("account/export", input), withExport), call),
    deleteAccount: async (input, call) => ending(await guarded(post("account/delete", nothing, input), call)),
  }) satisfies Partial<Client>;

/** The second factors of the account. */
export const factorCalls = ({ guarded }: Sending) =>
  ({
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
  }) satisfies Partial<Client>;

/** The providers by which people sign in. */
export const providerCalls = ({ open, guarded, baseUrl }: Sending) => {
  const urlOf = (provider: string, path: string, next?: string): string =>
    `${baseUrl}${prefix}/oauth/${byId(provider)}/${withQuery(path, { next })}`;
  return {
    listIdentities: (call) => guarded(get("identities", withIdentities), call),
    unlinkIdentity: (id, call) => guarded(post(`identities/${byId(id)}/unlink`, nothing), call),
    listProviders: (call) => open(get("providers", withProviders), call),
    startInvitedLogin: (input, provider, call) =>
      open(post(`oauth/${byId(provider)}/invitation/start`, withLocation, input), call),
    startProviderLogin: (provider, next) => urlOf(provider, "start", next),
    startProviderLink: (provider, next) => urlOf(provider, "link/start", next),
  } satisfies Partial<Client>;
};

/** What other programs ask. */
export const programCalls = ({ open, guarded }: Sending) =>
  ({
    verify: (demands, call) => guarded(get(withQuery("verify", demands), nothing), call),
    introspect: (input, secret, call) =>
      open({ ...post("introspect", withActivity, input), headers: { authorization: `Bearer ${secret}` } }, call),
    getJwks: (call) => open(getAt("/.well-known/jwks.json", withKeys), call),
    getHealth: (call) => open(getAt("/-/health", withHealth), call),
    getReadiness: (call) => open(getAt("/-/ready", withReadiness), call),
    hello: (call) => guarded(getAt("/api/v1/hello", withText), call),
  }) satisfies Partial<Client>;
