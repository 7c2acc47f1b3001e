import type { Mailer, MailLog } from "./index.ts";
import { createLogMailer, type KeepMail } from "./log.ts";
import { createSmtpMailer, securityInWords, type SmtpConfig } from "./smtp.ts";

type MailConfig = SmtpConfig & { readonly driver: "log" | "smtp" };

/** Returns the settings that decide how mails are delivered, without the password. */
export const describeMail = ({ driver, from, smtp }: MailConfig) => ({
  driver,
  from,
  ...(driver === "smtp" && {
    relay: `${smtp.host}:${smtp.port}`,
    tls: securityInWords(smtp),
    username: smtp.username === "" ? null : smtp.username,
  }),
});

/** Opens a mailer. No other code switches on the names of mail drivers. */
export function openMailer(config: MailConfig, log: MailLog, keep?: KeepMail): Mailer {
  switch (config.driver) {
    case "log":
      return createLogMailer({ log, keep });
    case "smtp":
      return createSmtpMailer(config);
  }
}
