import type { Mail, Mailer, MailLog } from "./index.ts";
import { redactTokens, refuseForgery } from "./message.ts";

/** Keeps a mail where it can be opened, and resolves to the address of that place. */
export type KeepMail = (mail: Mail) => Promise<string>;

interface LogMailerOptions {
  readonly log: MailLog;
  readonly keep?: KeepMail | undefined;
}

/**
 * Delivers nothing. Logs recipient and subject, and where the mail can be opened. A mail that is kept nowhere is logged with its text,
 * without the tokens of its links and without codes.
 */
export const createLogMailer = ({ log, keep }: LogMailerOptions): Mailer => ({
  driver: "log",
  async send(mail) {
    refuseForgery(mail);
    const rest = keep === undefined ? { text: redactTokens(mail.text) } : { open: await keep(mail) };
    log.info("mail", { to: mail.to, subject: redactTokens(mail.subject), ...rest });
    return undefined;
  },
  async close() {},
});
