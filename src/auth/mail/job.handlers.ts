import type { JobHandler } from "../../core/job.ts";
import type { Mailer } from "../../drivers/mail/index.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { checkedHandler, EmailVerificationPayload, jobNames, NoticePayload, PasswordResetPayload } from "./jobs.ts";
import { mailAddress } from "../user/identifiers.ts";
import { findByLogin } from "../user/find.ts";
import type { Letters } from "./letters.ts";
import type { UserRepository } from "../user/user.repository.ts";

interface JobOptions {
  readonly users: UserRepository;
  readonly grants: GrantService;
  readonly letters: Letters;
  readonly mailer: Mailer;
}

/**
 * The worker makes the grant and the mail in one go, so that the raw token exists in memory and in the mail alone. A retry
 * makes a new grant, which voids the one before.
 */
export function createJobHandlers({
  users,
  grants,
  letters,
  mailer,
}: JobOptions): Readonly<Record<string, JobHandler>> {
  return {
    [jobNames.sendPasswordReset]: checkedHandler(PasswordResetPayload, async ({ login }) => {
      const user = await findByLogin(users, login);
      if (user?.active !== 1) return;
      const token = await grants.issue(user, "password_reset");
      if (token !== undefined) await mailer.send(letters.passwordReset(mailAddress(user), user.displayName, token));
    }),

    [jobNames.sendEmailVerification]: checkedHandler(EmailVerificationPayload, async ({ user_id }) => {
      const user = await users.byId(user_id);
      if (user?.active !== 1 || user.emailVerifiedAt !== null) return;
      const token = await grants.issue(user, "email_verification");
      if (token !== undefined) await mailer.send(letters.emailVerification(mailAddress(user), user.displayName, token));
    }),

    [jobNames.sendNotice]: checkedHandler(NoticePayload, async ({ notice, to, user_id, about }) => {
      const user = user_id === undefined ? undefined : await users.byId(user_id);
      const address = to ?? (user && mailAddress(user));
      if (address !== undefined)
        await mailer.send(letters.notice(address, user?.displayName ?? address, notice, about));
    }),
  };
}
