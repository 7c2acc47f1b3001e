import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { emailVerificationJob } from "../mail/jobs.ts";
import { byUser, type Journal } from "../journal.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import type { AddressProof } from "./address.proof.ts";

interface VerificationOptions {
  /** Local only: the token is answered instead of mailed. */
  readonly returnToken: boolean;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly grants: GrantService;
  readonly addressProof: AddressProof;
  readonly clock: Clock;
}

export function createVerificationService(options: VerificationOptions) {
  const { returnToken, journal, users, grants, addressProof, clock } = options;
  return {
    /** The token only where return is on; nothing to do when the address is verified already. */
    async request(user: UserRow): Promise<string | undefined> {
      if (user.emailVerifiedAt !== null) return undefined;
      if (returnToken) {
        const token = await grants.issue(user, "email_verification", "returned");
        if (token === undefined) throw new AppError("rate_limited", { retryAfterSeconds: 3600 });
        return token;
      }
      await journal.commit({ jobs: [emailVerificationJob(user.id)] });
      return undefined;
    },

    /**
     * Verifies the address that the grant was sent to, if it still is the user's. The first time this ends what the account
     * held before, unless whoever verifies is signed in to the account themselves, as whoever was answered the token was.
     */
    async confirm(token: string, client: Client, signedInUserId: string | undefined): Promise<UserRow> {
      const grant = await grants.find(token, "email_verification");
      if (grant === undefined) throw new AppError("invalid_verification_token");
      const isOwn = signedInUserId === grant.userId || grant.mailed === 0;
      const ends = isOwn ? [] : addressProof.endUnproven(grant.userId);
      const now = clock.now();
      const verified = await journal.commit({
        statements: [
          users.hold(grant.userId, now),
          ...ends,
          grants.redeem(grant),
          users.verifyEmail(grant.userId, grant.emailKey, now),
        ],
        tell: [{ topic: "auth.email-verified", payload: { user_id: grant.userId }, by: byUser(client) }],
      });
      if (!verified.applied) throw new AppError("invalid_verification_token");
      if (!isOwn) await addressProof.record(grant.userId, verified.results.slice(1, 3), client, "verification");
      const user = await users.byId(grant.userId);
      if (user === undefined) throw new AppError("invalid_verification_token");
      return user;
    },
  };
}

export type VerificationService = ReturnType<typeof createVerificationService>;
