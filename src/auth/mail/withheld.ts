import type { Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { Journal } from "../journal.ts";
import type { GrantForMail } from "../grant/grant.service.ts";
import type { Notice } from "./jobs.ts";

/** A notice, or the mail with the link that somebody asked for. */
export type MailKind = Notice | "password_reset_link" | "email_verification_link";
export type WithheldReason = Extract<GrantForMail, { withheld: unknown }>["withheld"] | "address_not_proven";

interface MailCapOptions {
  readonly journal: Journal;
  /** A guard that holds so many times within an hour for one subject. */
  readonly hourlyShare: (subject: string, limit: number) => Statement;
  readonly counter: Metrics["mailsWithheld"];
  readonly log: Log;
}

/** Mails of one kind that reach one address in an hour, whatever the accounts are that they are about. */
const mailsPerHour = 5;

/** What keeps mails from flooding a mailbox, and says which ones were kept back. */
export function createMailCap({ journal, hourlyShare, counter, log }: MailCapOptions) {
  return {
    /** Counts one mail. False once the recipient has had the hour's share of its kind. */
    async take(mail: MailKind, recipient: string): Promise<boolean> {
      const { applied } = await journal.commit({
        statements: [hourlyShare(`mail|${mail}|${recipient}`, mailsPerHour)],
      });
      return applied;
    },

    /**
     * Records that a mail is not sent: in the log, which the inspect of the job keeps, and as a figure. A cap that was reached is
     * in the audit log as well, in one row an hour for each account and kind of mail, however many mails it held back.
     */
    async withheld(mail: MailKind, reason: WithheldReason, userId: string): Promise<void> {
      counter.count({ mail, reason });
      log.info("mail withheld", { mail, reason, user: userId });
      if (reason !== "cap_reached") return;
      await journal.commit({
        statements: [hourlyShare(`mail-withheld|${mail}|${userId}`, 1)],
        tell: [
          {
            topic: "auth.mail-withheld",
            payload: { user_id: userId },
            by: { actor: "system" },
            outcome: "failure",
            reason,
          },
        ],
      });
    },
  };
}

export type MailCap = ReturnType<typeof createMailCap>;
