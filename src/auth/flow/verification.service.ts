import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { emailVerificationJob } from "../mail/jobs.ts";
import { byUser, type Journal } from "../journal.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";

interface VerificationOptions {
  /** Local only: the token is answered instead of mailed. */
  readonly returnToken: boolean;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly grants: GrantService;
  readonly clock: Clock;
}

export function createVerificationService({ returnToken, journal, users, grants, clock }: VerificationOptions) {
  return {
    /** The token only where return is on; nothing to do when the address is verified already. */
    async request(user: UserRow, client: Client): Promise<string | undefined> {
      if (user.emailVerifiedAt !== null) return undefined;
      if (returnToken) return grants.forAnswer(user, "email_verification");
      await journal.commit({ jobs: [emailVerificationJob(user.id, client)] });
      return undefined;
    },

    /** Verifies the address that the grant was sent to, if it still is the user's. */
    async confirm(token: string, client: Client): Promise<UserRow> {
      const grant = await grants.find(token, "email_verification");
      if (grant === undefined) throw new AppError("invalid_verification_token");
      const { applied } = await journal.commit({
        statements: [
          users.verifyEmail(grant.userId, grant.emailKey, clock.now()),
          ...grants.redeem(grant, "email_verification"),
        ],
        tell: [{ topic: "auth.email-verified", payload: { user_id: grant.userId }, by: byUser(client) }],
      });
      const user = applied ? await users.byId(grant.userId) : undefined;
      if (user === undefined) throw new AppError("invalid_verification_token");
      return user;
    },
  };
}

export type VerificationService = ReturnType<typeof createVerificationService>;
