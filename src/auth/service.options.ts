import type { Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { Mailer } from "../drivers/mail/index.ts";
import type { JobMentions, UnitOfWork } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";
import type { LinkedIdentities } from "./flow/address.proof.ts";
import type { KeptElsewhere } from "./flow/export.service.ts";
import type { JournalOptions } from "./journal.ts";
import type { TransferredIdentities } from "./transfer/import.service.ts";
import type { AuthWatch } from "./watch.ts";

export interface AuthServiceOptions {
  readonly config: Config;
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly audit: JournalOptions["audit"] & KeptElsewhere["audit"];
  readonly jobMentions: JobMentions;
  readonly mailer: Mailer;
  readonly events: EventBus;
  readonly jobsOf?: JournalOptions["jobsOf"];
  /** What providers have linked to accounts; it goes with the proof of an address. */
  readonly identities: LinkedIdentities & KeptElsewhere["identities"] & TransferredIdentities;
  /** Where inspects are on. */
  readonly watch?: AuthWatch | undefined;
  readonly clock: Clock;
  readonly log: Log;
}
