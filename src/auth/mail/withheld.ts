import type { Statement } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { Metrics } from "../../observe/metrics/index.ts";
import type { Journal } from "../journal.ts";
import type { MailFates, MailOfUser } from "./fates.ts";
import type { MailKind, WithheldReason } from "./kinds.ts";

interface MailCapOptions {
  readonly journal: Journal;
  /** Returns a guard that holds `limit` times within an hour for one subject. */
  readonly hourlyShare: (subject: string, limit: number) => Statement;
  readonly fates: Pick<MailFates, "heldBack">;
  readonly counter: Metrics["mailsWithheld"];
  readonly log: Log;
}

/** The most mails of one kind that reach one address in an hour, over all accounts. */
const mailsPerHour = 5;
/** Returns the kind that a mail counts as: two kinds ask for an address to be confirmed, and count as one. */
const countedAs = (kind: MailKind): MailKind => (kind === "email_change_link" ? "email_verification_link" : kind);

/** Keeps mails from flooding a mailbox, and records which ones were held back. */
export function createMailCap({ journal, hourlyShare, fates, counter, log }: MailCapOptions) {
  return {
    /** Counts one mail. False once the recipient has had the hour's share of its kind. */
    async take(kind: MailKind, recipient: string): Promise<boolean> {
      const { applied } = await journal.commit({
        statements: [hourlyShare(`mail|${countedAs(kind)}|${recipient}`, mailsPerHour)],
      });
      return applied;
    },

    /**
     * Records that a mail is not sent: in the log, which the inspect of the job keeps, and as a figure. A reached cap is in the audit log
     * as well, in one row an hour for each account and kind of mail, however many mails it held back. `askedBy` is the account whose user
     * has asked for the mail, where that is another one.
     */
    async withheld(of: MailOfUser, reason: WithheldReason, askedBy = of.owner.userId): Promise<void> {
      const mail = countedAs(of.kind);
      counter.count({ mail, reason });
      log.info("mail withheld", { mail, reason, user: askedBy });
      await fates.heldBack(of, reason);
      if (reason !== "cap_reached") return;
      await journal.commit({
        statements: [hourlyShare(`mail-withheld|${mail}|${askedBy}`, 1)],
        tell: [
          {
            topic: "auth.mail-withheld",
            payload: { user_id: askedBy },
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
