import type { Mailer, MailLog } from "./index.ts";
import { redactTokens, refuseForgery } from "./message.ts";

/** Delivers nothing: writes the recipient, the subject and the text to the log, the tokens of its links left out. */
export const createLogMailer = ({ log, name = "default" }: { log: MailLog; name?: string }): Mailer => ({
  driver: "log",
  name,
  async send(mail) {
    refuseForgery(mail);
    log.info("mail", { to: mail.to, subject: mail.subject, text: redactTokens(mail.text) });
  },
  async close() {},
});
