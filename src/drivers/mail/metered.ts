import type { Mailer } from "./index.ts";

/** What counts the mails; a counter of the application's metrics satisfies it. */
interface MailMeter {
  count(labels: { readonly driver: string; readonly status: "ok" | "failed" }, by?: number): void;
}

/** The same mailer, what it sends counted. */
export function meterMailer(mailer: Mailer, sends: MailMeter): Mailer {
  const { driver } = mailer;
  // Both series start at zero: a rate over a series that begins at one would miss the first mail.
  for (const status of ["ok", "failed"] as const) sends.count({ driver, status }, 0);
  return {
    ...mailer,
    async send(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        sends.count({ driver, status: "failed" });
        throw error;
      }
      sends.count({ driver, status: "ok" });
    },
  };
}
