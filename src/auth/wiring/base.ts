import type { Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { EventBus } from "../../drivers/events/index.ts";
import type { Mailer } from "../../drivers/mail/index.ts";
import type { JobMentions, UnitOfWork } from "../../drivers/queue/index.ts";
import type { RequestFacts } from "../../http/index.ts";
import type { MailLook } from "../../http/pages/brand/mail.look.ts";
import type { Log } from "../../observe/index.ts";
import type { Metrics } from "../../observe/metrics/index.ts";
import type { ListedIdentities } from "../people/list.ts";
import type { AddedIdentities } from "../flow/eviction/added.ts";
import type { LinkedIdentities } from "../flow/eviction/eviction.rules.ts";
import type { KeptElsewhere } from "../flow/account/export.service.ts";
import type { Memberships } from "../flow/organization/memberships.ts";
import { createDomainArrivals } from "../flow/organization/domain.arrivals.ts";
import { createProviderDemand } from "../flow/organization/provider.demand.ts";
import { createVouchers } from "../flow/organization/vouchers.ts";
import { createHookGate, type Hooks } from "../flow/hook.gate.ts";
import { createRegistrationRules } from "../flow/registration.rules.ts";
import { createJournal, type JournalOptions } from "../journal.ts";
import type { PasswordCost } from "../password/password.hash.ts";
import type { TransferredIdentities } from "../transfer/import.service.ts";
import { createTokenRepository } from "../token/token.repository.ts";
import { createMetadataRepository } from "../metadata/metadata.repository.ts";
import { createUserRepository } from "../user/user.repository.ts";
import type { ProgramBearers } from "../routes/session/verify.routes.ts";
import type { Words } from "../../words/index.ts";
import type { AuthWatch } from "../watch.ts";

/** What the app hands to its accounts. */
export interface AuthOptions {
  readonly config: Config;
  /** The words of mails. */
  readonly words: Words;
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly audit: JournalOptions["audit"] & KeptElsewhere["audit"];
  readonly jobMentions: JobMentions;
  readonly mailer: Mailer;
  readonly mailLook: MailLook;
  readonly events: EventBus;
  readonly jobsOf?: JournalOptions["jobsOf"];
  /** Programs of the operator that are asked before somebody registers, signs in or gets a token. */
  readonly hooks?: Hooks | undefined;
  /** Returns an account as services see it, without what is private; null where there is none. */
  readonly shownAccount: (userId: string) => Promise<object | null>;
  /** Returns whose access token a program shows, and what it may know of them; undefined for a token that is not good. */
  readonly programBearer?: ProgramBearers | undefined;
  /** What providers have linked to accounts; it goes with the proof of an address. */
  readonly identities: LinkedIdentities &
    AddedIdentities &
    KeptElsewhere["identities"] &
    ListedIdentities &
    TransferredIdentities;
  /** What organizations there are concerns accounts that are deleted or invited. */
  readonly memberships: Memberships;
  readonly facts: RequestFacts;
  readonly metrics: Metrics;
  /** Where inspects are on. */
  readonly watch?: AuthWatch | undefined;
  /** What hashing a password takes. Default: what is shipped. */
  readonly passwordCost?: PasswordCost | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export type Base = ReturnType<typeof wireBase>;

/** The accounts themselves, and the unit of work by which they change. */
export function wireBase(options: AuthOptions) {
  const { config, database, work, audit, events, jobsOf, hooks, shownAccount, memberships, watch, clock, log } =
    options;
  const journal = createJournal({ work, audit, events, jobsOf, concerns: watch?.concerns, clock });
  const users = createUserRepository(database);
  const { jwtSecret: secret, jwtPreviousSecrets: previousSecrets } = config.auth;
  const vouchers = createVouchers({ secret, previousSecrets, clock });
  return {
    vouchers,
    demand: createProviderDemand({ journal, memberships, vouchers }),
    users,
    metadata: createMetadataRepository(database),
    personalTokens: createTokenRepository(database),
    journal,
    rules: createRegistrationRules({ config, clock }),
    arrived: createDomainArrivals({ journal, users, memberships, log }),
    gate: hooks && createHookGate({ hooks, shownAccount, journal, clock }),
  };
}
