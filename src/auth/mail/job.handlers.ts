import type { JobHandler } from "../../core/job.ts";
import type { Mailer } from "../../drivers/mail/index.ts";
import type { GrantService } from "../grant/grant.service.ts";
import { checkedHandler, EmailVerificationPayload, jobNames, NoticePayload, PasswordResetPayload } from "./jobs.ts";
import { mailAddress } from "../user/identifiers.ts";
import { findByLogin } from "../user/find.ts";
import type { Letters } from "./letters.ts";
import type { MailCap } from "./withheld.ts";
import type { UserRepository } from "../user/user.repository.ts";

interface JobOptions {
  readonly users: UserRepository;
  readonly grants: GrantService;
  readonly cap: MailCap;
  readonly letters: Letters;
  readonly mailer: Mailer;
}

/**
 * The worker makes the grant and the mail in one go, so that the raw token exists in memory and in the mail alone. Each attempt makes a
 * grant of its own beside those before: a mail that was reported as failed may have arrived.
 */
export function createJobHandlers(options: JobOptions): Readonly<Record<string, JobHandler>> {
  const { users, grants, cap, letters, mailer } = options;
  return {
    [jobNames.sendPasswordReset]: checkedHandler(PasswordResetPayload, async ({ login }, { id }) => {
      const user = await findByLogin(users, login);
      if (user?.active !== 1) return;
      const granted = await grants.forMail(user, "password_reset", id);
      if ("withheld" in granted) return cap.withheld("password_reset_link", granted.withheld, user.id);
      await mailer.send(letters.passwordReset(mailAddress(user), user.displayName, granted.token));
    }),

    [jobNames.sendEmailVerification]: checkedHandler(EmailVerificationPayload, async ({ user_id }, { id }) => {
      const user = await users.byId(user_id);
      if (user?.active !== 1 || user.emailVerifiedAt !== null) return;
      const granted = await grants.forMail(user, "email_verification", id);
      if ("withheld" in granted) return cap.withheld("email_verification_link", granted.withheld, user.id);
      await mailer.send(letters.emailVerification(mailAddress(user), user.displayName, granted.token));
    }),

    [jobNames.sendNotice]: checkedHandler(NoticePayload, async ({ notice, to, user_id, about }, { attempt }) => {
      const user = user_id === undefined ? undefined : await users.byId(user_id);
      const address = to ?? (user && mailAddress(user));
      if (address === undefined) return;
      // Where the address is the account's own, it has to be proven: else somebody who typed it could have a stranger mailed.
      if (to === undefined && user?.emailVerifiedAt === null)
        return cap.withheld(notice, "address_not_proven", user.id);
      if (attempt === 1 && !(await cap.take(notice, address.toLowerCase())))
        return user && cap.withheld(notice, "cap_reached", user.id);
      await mailer.send(letters.notice(address, user?.displayName ?? address, notice, about));
    }),
  };
}
