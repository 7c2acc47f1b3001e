import type { Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { Occurrence } from "../../core/audit.ts";
import { AppError } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import { byUser } from "../journal.ts";
import type { UserRow } from "../user/user.repository.ts";

interface RuleOptions {
  readonly config: {
    readonly auth: Pick<Config["auth"], "registrationDomains">;
    readonly app: Pick<Config["app"], "termsVersion">;
  };
  readonly clock: Clock;
}

/** The terms that an account has accepted last, and when. */
export type AcceptedTerms = Pick<UserRow, "termsVersion" | "termsAcceptedAt">;

/** Who may have an account: people with an address of an allowed domain, who have accepted the terms. */
export function createRegistrationRules({ config: { auth, app }, clock }: RuleOptions) {
  const { registrationDomains: domains } = auth;
  const { termsVersion } = app;

  /** Returns the version of the terms that somebody who has accepted `accepted` has yet to accept; null where there is none. */
  const termsDue = (accepted: string | null | undefined): string | null =>
    termsVersion === undefined || accepted === termsVersion ? null : termsVersion;

  return {
    termsDue,

    /** Throws `domain_not_allowed` for an address, in its compared form, of a domain whose people may not register. */
    requireDomain(emailKey: string): void {
      const domain = emailKey.slice(emailKey.lastIndexOf("@") + 1);
      if (domains.length > 0 && !domains.includes(domain)) throw new AppError("domain_not_allowed");
    },

    /** Throws `terms_required` unless these are the terms of today, or there are none. */
    requireTerms(accepted: string | null | undefined): void {
      const due = termsDue(accepted);
      if (due !== null)
        throw new AppError("terms_required", {
          detail: `Send "accepted_terms": "${due}" once the person has accepted.`,
        });
    },

    /** Returns the fields of an account whose person accepts these terms now. What nobody asks for is not kept. */
    accepted: (version: string | undefined): AcceptedTerms | undefined =>
      version !== undefined && version === termsVersion
        ? { termsVersion: version, termsAcceptedAt: clock.now() }
        : undefined,
  };
}

export type RegistrationRules = ReturnType<typeof createRegistrationRules>;

/** Makes the audit row of a person who has accepted the terms. */
export const termsAccepted = (userId: string, version: string, client: Client): Occurrence => ({
  topic: "auth.terms-accepted",
  payload: { user_id: userId, version },
  by: byUser(client),
});
