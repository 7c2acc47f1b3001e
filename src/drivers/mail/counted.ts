import { type Outcome, watchOutcome } from "../../core/pace/outcome.ts";
import type { Mailer } from "./index.ts";

interface MailCounter {
  count(labels: { readonly driver: string; readonly status: Outcome }, by?: number): void;
}

export function countMailer(mailer: Mailer, sends: MailCounter): Mailer {
  const { driver } = mailer;
  // A rate over a counter sees its first step only where the zero before it was scraped.
  for (const status of ["ok", "failed"] as const) sends.count({ driver, status }, 0);
  return {
    ...mailer,
    send: (mail) => watchOutcome(mailer.send(mail), (status) => sends.count({ driver, status })),
  };
}
