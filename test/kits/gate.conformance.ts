import { organizationsOn } from "../contract/organization/organization.fixture.ts";
import { providerOn } from "../contract/idp/idp.fixture.ts";
import type { Stage } from "../support/stage.ts";
import { callerCases } from "./conformance/callers.cases.ts";
import { outageCases } from "./conformance/outages.cases.ts";
import { resourceCases } from "./conformance/resources.cases.ts";
import { sessionCases } from "./conformance/sessions.cases.ts";
import { startSuite, type GatedApp, type GatedSettings, type Suite } from "./conformance/suite.ts";

export type { GatedApp, GatedSettings } from "./conformance/suite.ts";

// What every gate does, whatever its language. An app of the suite has these routes, and answers JSON:
//
//   GET /public        anybody              {"user": the user or null}
//   GET /whoami        signed in            the user: id, username, email, email_verified, roles, session_id,
//                                           organization (id, slug, roles; or null), claims
//   GET /cached        signed in            the same, with `Cache-Control: public, max-age=3600` and the like for CDNs
//   GET /admin-only    role admin           the same
//   GET /org-only      acts as an owner     the same
//   GET /org-only/ID   acts for that one    the same
//   GET /org-missing   acts for one whose id is missing, as an unset variable is: nobody does
//   POST /change       signed in            {"changed": true}
//
// Navigations without a session are led to the sign-in page. With `isClosed`, nothing is answered to strangers, /public included.

/** The settings of the Gatehouse that the suite runs with. */
export const gateEnvironment = {
  ...organizationsOn,
  ...providerOn,
  AUTH_TOKEN_CLAIMS: "email",
  AUTH_PERSONAL_TOKENS_ENABLED: "true",
  APP_MAINTENANCE_RETRY_AFTER: "90s",
} as const;

/** Returns the settings of an app as the environment of a program. */
export const gatedEnvironment = (settings: GatedSettings) => ({
  GATEHOUSE_URL: settings.gatehouse,
  GATEHOUSE_PUBLIC_URL: settings.publicUrl,
  APP_ORIGIN: settings.origin,
  GATE_TIMEOUT_MS: String(settings.timeoutMs),
  ...(settings.resource !== undefined && { APP_RESOURCE: settings.resource }),
  ...(settings.isClosed && { GATE_CLOSED: "true" }),
});

/** Tries a gate on two apps that `start` makes. */
export function gateConformance(stage: Stage, start: (settings: GatedSettings) => Promise<GatedApp>): Suite {
  const suite = startSuite(stage, start);
  callerCases(suite);
  sessionCases(suite);
  resourceCases(suite);
  outageCases(suite);
  return suite;
}
