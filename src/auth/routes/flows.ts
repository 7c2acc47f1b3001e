import { AppError } from "../../core/errors.ts";
import type { SessionDebug } from "../../core/flaws.ts";
import { toAppError } from "../../http/index.ts";
import type { AuthFlow, AuthProvider } from "../../observe/metrics/flows.ts";
import type { Metrics } from "../../observe/metrics/index.ts";
import { isChallenged } from "../flow/admission.ts";
import type { LimitedRequest } from "../pressure/limits.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { AuthWatch } from "../watch.ts";
import type { Services } from "./parts.ts";

/** The sign-in of a newcomer goes no further before they have accepted the terms. */
export interface TermsDue {
  readonly outcome: "terms_due";
}
export const isTermsDue = (result: unknown): result is TermsDue =>
  typeof result === "object" && result !== null && "outcome" in result && result.outcome === "terms_due";

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
    /** Counts a refusal from before the flow began, without a duration, which would mean nothing. */
    refused,

    async watch<T>(flow: AuthFlow, work: () => Promise<T>, provider: AuthProvider = "local"): Promise<T> {
      const startedAt = performance.now();
      try {
        const result = await work();
        // A first proof alone has let nobody in, so it counts as a refusal.
        if (isChallenged(result)) refused(flow, new AppError("mfa_required", { userId: result.userId }), provider);
        else if (isTermsDue(result)) refused(flow, new AppError("terms_required"), provider);
        else authFlows.count({ flow, status: "ok", reason: "none", provider });
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
  impersonation: "impersonation",
  "passkey-options": "passkey_login",
  // No route here limits these acts: the start of a sign-in with a provider, or for a program, is limited inside its flow, which counts the
  // refusal.
  "login-provider": "oauth_start",
  "oauth-start": "oauth_start",
  "oauth-request": "oauth_start",
  "device-request": "oauth_start",
  "device-code": "oauth_start",
  "client-registration": "oauth_start",
};

/** `uncounted`: the method decides nothing, or is part of a counted flow. `refused`: its throw ends a flow before that has begun. */
type Counted = AuthFlow | "uncounted" | { readonly refused: AuthFlow };

function uncounted<Name extends string>(...names: Name[]): Record<Name, "uncounted">;
function uncounted(...names: string[]): Record<string, "uncounted"> {
  return Object.fromEntries(names.map((name) => [name, "uncounted" as const]));
}

/** The flow of each method of a service. A new method compiles only once it stands here. */
const flowOf: { readonly [Name in keyof Services]: Readonly<Record<keyof Services[Name] & string, Counted>> } = {
  login: { login: "login" },
  challenge: { describe: "uncounted", verify: "login_verify" },
  reauthentication: { prepare: "uncounted", confirm: "reauthenticate", confirmByFactor: "reauthenticate" },
  registration: {
    ...uncounted("prepare", "create", "requireFree", "faults"),
    requireOpen: { refused: "register" },
    register: "register",
  },
  profiles: { ...uncounted("find", "metadataOf", "termsDue"), edit: "profile" },
  sessions: {
    ...uncounted(
      "authenticate",
      "recognize",
      "allServing",
      "identify",
      "refreshTokenOf",
      "renew",
      "open",
      "recordDisplaced",
    ),
    ...uncounted("hold", "isFresh", "requireFreshProof", "requireFactor", "isFactorMissing", "prove", "rekey"),
    ...uncounted("list", "reject", "isByPasswordAndFactor"),
    rotate: "refresh",
    end: "logout",
    endAll: "logout_all",
    revoke: "session_revoke",
  },
  passwords: {
    change: "change_password",
    requestReset: "password_reset_request",
    inspectReset: "password_reset_inspect",
    rejectSignIn: "session_revoke",
    confirmReset: "password_reset_confirm",
    set: "uncounted",
  },
  passwordless: { canRemove: "uncounted", remove: "change_password" },
  verification: {
    request: "email_verification_request",
    confirm: "email_verification_confirm",
    reject: "email_verification_reject",
    takeBack: "email_change_undo",
  },
  links: { inspect: "uncounted" },
  deletion: { deleteOwn: "account_delete", delete: "uncounted" },
  exports: { gather: "account_export" },
  acceptance: {
    ...uncounted("show", "welcomeByHash", "welcomeTo", "joiningByHash"),
    accept: "invitation_accept",
  },
  factors: {
    overview: "uncounted",
    beginTotp: "totp_setup",
    shownTotp: "uncounted",
    confirmTotp: "totp_confirm",
    removeTotp: "totp_remove",
    remakeCodes: "recovery_codes",
    endTakeBack: "take_back_void",
  },
  passkeys: {
    // Pages ask for an offer whenever an account is shown.
    ...uncounted("list", "signal", "offer"),
    registrationOptions: "passkey_options",
    register: "passkey_add",
    rename: "passkey_rename",
    remove: "passkey_remove",
  },
  tokens: { list: "uncounted", create: "personal_token_create", revoke: "personal_token_revoke" },
  passkeyLogin: { options: "uncounted", login: "passkey_login" },
  emailSignIn: {
    requireEnabled: { refused: "email_login_request" },
    request: "email_login_request",
    confirmToken: "email_login_confirm",
    confirmCode: "email_login_confirm",
  },
};

/** Wraps a service, so that each of its flows is counted. */
export const createServiceWatch =
  (flows: Flows) =>
  <Name extends keyof Services>(name: Name, service: Services[Name]): Services[Name] =>
    counted<Services[Name]>(service, flowOf[name], flows);

function counted<Service extends object>(
  service: Service,
  flowOfMethod: Readonly<Record<keyof Service & string, Counted>>,
  { watch, refused }: Flows,
): Service {
  const wrapped = Object.entries<Counted>(flowOfMethod).flatMap(([name, flow]) => {
    const method: unknown = Reflect.get(service, name);
    if (flow === "uncounted" || typeof method !== "function") return [];
    const call = (given: readonly unknown[]): unknown => Reflect.apply(method, service, given);
    if (typeof flow === "string")
      return [[name, (...given: unknown[]) => watch(flow, async () => call(given))] as const];
    const orRefused = (...given: unknown[]): unknown => {
      try {
        return call(given);
      } catch (error) {
        refused(flow.refused, error);
        throw error;
      }
    };
    return [[name, orRefused] as const];
  });
  return { ...service, ...Object.fromEntries(wrapped) };
}

/** Wraps the limits of addresses, so that each refusal counts as the flow that the request was for. */
export const watchPressure = (pressure: Pressure, { refused }: Flows): Pressure => ({
  ...pressure,
  async limitAddress(kind, ...given) {
    try {
      await pressure.limitAddress(kind, ...given);
    } catch (error) {
      refused(limited[kind], error);
      throw error;
    }
  },
});
