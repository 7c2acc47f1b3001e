import type { Mailer, MailLog } from "./index.ts";
import { createLogMailer, type KeepMail } from "./log.ts";
import { createSmtpMailer, type SmtpConfig } from "./smtp.ts";

/** The only switch on mail driver names. */
export function openMailer(
  config: SmtpConfig & { readonly driver: "log" | "smtp" },
  log: MailLog,
  keep?: KeepMail,
): Mailer {
  switch (config.driver) {
    case "log":
      return createLogMailer({ log, keep });
    case "smtp":
      return createSmtpMailer(config);
  }
}
