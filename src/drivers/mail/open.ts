import type { Mailer, MailLog } from "./index.ts";
import { createLogMailer, type KeepMail } from "./log.ts";
import { createSmtpMailer, securityInWords, type SmtpConfig } from "./smtp.ts";

type MailConfig = SmtpConfig & { readonly driver: "log" | "smtp" };

/** The settings by which a mail is delivered or not, without the password. */
export const describeMail = ({ driver, from, smtp }: MailConfig) => ({
  driver,
  from,
  ...(driver === "smtp" && {
    relay: `${smtp.host}:${smtp.port}`,
    tls: securityInWords(smtp),
    username: smtp.username === "" ? null : smtp.username,
  }),
});

/** The only switch on mail driver names. */
export function openMailer(config: MailConfig, log: MailLog, keep?: KeepMail): Mailer {
  switch (config.driver) {
    case "log":
      return createLogMailer({ log, keep });
    case "smtp":
      return createSmtpMailer(config);
  }
}
