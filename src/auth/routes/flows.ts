import type { SessionDebug } from "../../core/flaws.ts";
import { toAppError } from "../../http/index.ts";
import type { AuthFlow, AuthProvider, Metrics } from "../../observe/metrics.ts";
import type { ChallengeService } from "../flow/factor/challenge.service.ts";
import type { DeletionService } from "../flow/deletion.service.ts";
import type { EmailSignIn } from "../flow/email.sign.in.service.ts";
import type { ExportService } from "../flow/export.service.ts";
import type { FactorService } from "../flow/factor/factor.service.ts";
import type { AcceptanceService } from "../flow/invitation.acceptance.ts";
import type { LoginService } from "../flow/login.service.ts";
import type { PasskeyLogin } from "../flow/factor/passkey.login.ts";
import type { PasskeyService } from "../flow/factor/passkey.service.ts";
import type { PasswordService } from "../flow/password.service.ts";
import type { ProfileService } from "../flow/profile.service.ts";
import type { ReauthenticationService } from "../flow/reauthentication.service.ts";
import type { RegistrationService } from "../flow/registration.service.ts";
import type { LimitedRequest } from "../pressure/limits.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionService } from "../session/session.service.ts";
import type { VerificationService } from "../flow/verification.service.ts";
import type { AuthWatch } from "../watch.ts";

export type Flows = ReturnType<typeof createFlows>;

/** The flows whose refusals inspects show as those of a login or a registration. */
const decided: Readonly<Partial<Record<AuthFlow, SessionDebug["outcome"]>>> = {
  login: "login_refused",
  login_verify: "login_refused",
  passkey_login: "login_refused",
  email_login_confirm: "login_refused",
  oauth_sign_in: "login_refused",
  invitation_accept: "registration_refused",
  register: "registration_refused",
};

/** Counts how auth flows end. The reason of a refusal is its error code, never anything that was sent: labels come from a closed set. */
export function createFlows(
  { authFlows, authFlowDurations }: Pick<Metrics, "authFlows" | "authFlowDurations">,
  watch?: Pick<AuthWatch, "refused" | "session">,
) {
  function refused(flow: AuthFlow, error: unknown, provider: AuthProvider = "local"): void {
    const refusal = toAppError(error);
    authFlows.count({ flow, status: "failed", reason: refusal.why ?? refusal.reason, provider });
    watch?.refused(refusal);
    const outcome = decided[flow];
    const reason = refusal.flaw ?? refusal.why ?? refusal.reason;
    if (outcome !== undefined) watch?.session({ outcome, reason, userId: refusal.userId, session: undefined });
  }

  return {
    /** For a refusal from before the flow began: it took no time that says anything. */
    refused,

    async watch<T>(flow: AuthFlow, work: () => Promise<T>, provider: AuthProvider = "local"): Promise<T> {
      const startedAt = performance.now();
      try {
        const result = await work();
        authFlows.count({ flow, status: "ok", reason: "none", provider });
        return result;
      } catch (error) {
        refused(flow, error, provider);
        throw error;
      } finally {
        authFlowDurations.observe({ flow, provider }, (performance.now() - startedAt) / 1000);
      }
    },
  };
}

const limited: Readonly<Record<LimitedRequest, AuthFlow>> = {
  register: "register",
  "password-reset": "password_reset_request",
  "password-reset-confirm": "password_reset_confirm",
  "email-login": "email_login_request",
  "email-login-confirm": "email_login_confirm",
  "email-verification": "email_verification_request",
  "email-verification-confirm": "email_verification_confirm",
  "email-change": "profile",
  invitation: "invitation_accept",
  "passkey-options": "passkey_login",
  // No route here asks for it: the start of a sign-in with a provider is limited inside its flow, which counts the refusal.
  "oauth-start": "oauth_start",
};

interface Services {
  readonly login: LoginService;
  readonly challenge: ChallengeService;
  readonly reauthentication: ReauthenticationService;
  readonly registration: RegistrationService;
  readonly profiles: ProfileService;
  readonly sessions: SessionService;
  readonly passwords: PasswordService;
  readonly verification: VerificationService;
  readonly deletion: DeletionService;
  readonly exports: ExportService;
  readonly acceptance: AcceptanceService;
  readonly factors: FactorService;
  readonly passkeys: PasskeyService;
  readonly passkeyLogin: PasskeyLogin;
  readonly pressure: Pressure;
}

/** The services as the routes use them, each flow counted. Among themselves they use the plain ones. */
export function watchServices(services: Services, { watch, refused }: Flows): Services {
  const { login, reauthentication, registration, profiles, sessions, passwords, verification, pressure } = services;
  const { deletion, exports, acceptance, challenge, factors, passkeys, passkeyLogin } = services;
  return {
    login: { login: (...given) => watch("login", () => login.login(...given)) },
    challenge: {
      ...challenge,
      verify: (...given) => watch("login_verify", () => challenge.verify(...given)),
    },
    reauthentication: {
      ...reauthentication,
      confirm: (...given) => watch("reauthenticate", () => reauthentication.confirm(...given)),
      confirmByFactor: (...given) => watch("reauthenticate", () => reauthentication.confirmByFactor(...given)),
    },
    registration: {
      ...registration,
      requireOpen() {
        try {
          registration.requireOpen();
        } catch (error) {
          refused("register", error);
          throw error;
        }
      },
      register: (...given) => watch("register", () => registration.register(...given)),
    },
    profiles: { ...profiles, edit: (...given) => watch("profile", () => profiles.edit(...given)) },
    sessions: {
      ...sessions,
      rotate: (...given) => watch("refresh", () => sessions.rotate(...given)),
      end: (...given) => watch("logout", () => sessions.end(...given)),
      endAll: (...given) => watch("logout_all", () => sessions.endAll(...given)),
      revoke: (...given) => watch("session_revoke", () => sessions.revoke(...given)),
    },
    passwords: {
      ...passwords,
      change: (...given) => watch("change_password", () => passwords.change(...given)),
      requestReset: (...given) => watch("password_reset_request", () => passwords.requestReset(...given)),
      confirmReset: (...given) => watch("password_reset_confirm", () => passwords.confirmReset(...given)),
    },
    verification: {
      ...verification,
      request: (...given) => watch("email_verification_request", () => verification.request(...given)),
      confirm: (...given) => watch("email_verification_confirm", () => verification.confirm(...given)),
    },
    deletion: {
      ...deletion,
      deleteOwn: (...given) => watch("account_delete", () => deletion.deleteOwn(...given)),
    },
    exports: { gather: (...given) => watch("account_export", () => exports.gather(...given)) },
    acceptance: {
      ...acceptance,
      accept: (...given) => watch("invitation_accept", () => acceptance.accept(...given)),
    },
    factors: {
      ...factors,
      beginTotp: (...given) => watch("totp_setup", () => factors.beginTotp(...given)),
      confirmTotp: (...given) => watch("totp_confirm", () => factors.confirmTotp(...given)),
      removeTotp: (...given) => watch("totp_remove", () => factors.removeTotp(...given)),
      remakeCodes: (...given) => watch("recovery_codes", () => factors.remakeCodes(...given)),
    },
    passkeys: {
      ...passkeys,
      registrationOptions: (...given) => watch("passkey_options", () => passkeys.registrationOptions(...given)),
      register: (...given) => watch("passkey_add", () => passkeys.register(...given)),
      rename: (...given) => watch("passkey_rename", () => passkeys.rename(...given)),
      remove: (...given) => watch("passkey_remove", () => passkeys.remove(...given)),
    },
    passkeyLogin: {
      ...passkeyLogin,
      login: (...given) => watch("passkey_login", () => passkeyLogin.login(...given)),
    },
    pressure: {
      ...pressure,
      async limitAddress(kind, ...given) {
        try {
          await pressure.limitAddress(kind, ...given);
        } catch (error) {
          refused(limited[kind], error);
          throw error;
        }
      },
    },
  };
}

/** The same for signing in by a mail. */
export const watchEmailSignIn = (service: EmailSignIn, { watch, refused }: Flows): EmailSignIn => ({
  requireEnabled() {
    try {
      service.requireEnabled();
    } catch (error) {
      refused("email_login_request", error);
      throw error;
    }
  },
  request: (...given) => watch("email_login_request", () => service.request(...given)),
  confirmToken: (...given) => watch("email_login_confirm", () => service.confirmToken(...given)),
  confirmCode: (...given) => watch("email_login_confirm", () => service.confirmCode(...given)),
});
