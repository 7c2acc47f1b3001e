import type { ErrorCode, ExchangeReason } from "../../core/errors.ts";
import type { Outcome } from "../../core/pace/outcome.ts";
import { families } from "./families.ts";
import { createCounter, createHistogram } from "./series.ts";

const authFlowNames = [
  "register",
  "login",
  "login_verify",
  "logout",
  "logout_all",
  "refresh",
  "session_revoke",
  "profile",
  "change_password",
  "reauthenticate",
  "account_export",
  "account_delete",
  "password_reset_request",
  "password_reset_inspect",
  "password_reset_confirm",
  "email_login_request",
  "email_login_confirm",
  "email_verification_request",
  "email_verification_confirm",
  "email_verification_reject",
  "email_change_undo",
  "invitation_accept",
  "impersonation",
  "totp_setup",
  "totp_confirm",
  "totp_remove",
  "recovery_codes",
  "take_back_void",
  "personal_token_create",
  "personal_token_revoke",
  "passkey_login",
  "passkey_options",
  "passkey_add",
  "passkey_rename",
  "passkey_remove",
] as const;
/** The flows of signing in through a provider, counted by provider. */
const providerFlowNames = ["oauth_start", "oauth_sign_in", "oauth_link", "identity_unlink"] as const;
export type ProviderFlow = (typeof providerFlowNames)[number];
export type AuthFlow = (typeof authFlowNames)[number] | ProviderFlow;
/**
 * The name of a configured provider. `local` is this service's own accounts; `unknown` where a request does not say whose it
 * is, or not ours. No provider has either name.
 */
export type AuthProvider = string;
/** `none` where the status is ok. */
export type AuthReason = ErrorCode | ExchangeReason | "none";

type AuthFlowLabels = { flow: AuthFlow; status: Outcome; reason: AuthReason; provider: AuthProvider };

/** How the flows of accounts end, and how long they take. */
export function createFlowMetrics() {
  const authFlows = createCounter<AuthFlowLabels>(families.auth_flows_total.labels);
  const authFlowDurations = createHistogram<Pick<AuthFlowLabels, "flow" | "provider">>(
    families.auth_flow_duration_seconds.labels,
    families.auth_flow_duration_seconds.bounds,
  );
  const startAtZero = (flow: AuthFlow, provider: AuthProvider): void =>
    authFlows.count({ flow, status: "ok", reason: "none", provider }, 0);
  for (const flow of authFlowNames) startAtZero(flow, "local");
  return {
    authFlows,
    authFlowDurations,
    /** Starts the flows of the providers in use at zero. */
    announceProviders(providers: readonly AuthProvider[]): void {
      for (const provider of providers) for (const flow of providerFlowNames) startAtZero(flow, provider);
    },
    samples: { auth_flows_total: authFlows.samples, auth_flow_duration_seconds: authFlowDurations.samples },
  };
}
