import type { Millis } from "../../core/clock.ts";
import type { Hindrance } from "../../core/people/standing.ts";
import type { StoredEvent, StoredIdentity } from "../flow/account/export.service.ts";
import type { StoredFactor } from "../factor/stored.factors.ts";
import type { MailFate } from "../mail/fates.ts";
import type { StoredSession } from "../session/session.columns.ts";

export interface PeopleQuery {
  /** The beginning of an address, a user name or a display name, in any spelling of its letters; or an id. */
  readonly search?: string | undefined;
  readonly state?: "disabled" | "locked" | "unverified" | undefined;
  readonly role?: string | undefined;
  /** `next` of the last page, asked for with the same search and filters. */
  readonly cursor?: string | undefined;
  /** At most 100. */
  readonly limit: number;
}

export interface PeoplePage {
  readonly people: readonly PersonSummary[];
  /** Where the next page begins; undefined after the last one. Even an earlier page may hold fewer people than were asked for. */
  readonly next: string | undefined;
}

export interface PersonSummary {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly emailVerified: boolean;
  /** Until when wrong passwords of strangers keep the person out. */
  readonly lockedUntil: Millis | undefined;
  /** Whether signing in takes a second factor. */
  readonly hasFactor: boolean;
  readonly roles: readonly string[];
  readonly createdAt: Millis;
  readonly lastLoginAt: Millis | null;
  readonly lastSeenAt: Millis | null;
}

export interface PersonSession extends StoredSession {
  /** Whether the session opens anything now, as far as the idle time of the app goes that is asked. */
  readonly isLive: boolean;
}

/** Everything of an account that is shown to the staff who look after it. No secret and no hash is part of it. */
export interface Person extends PersonSummary {
  readonly emailVerifiedAt: Millis | null;
  /** A new address until its mailbox has confirmed it. */
  readonly pendingEmail: string | null;
  readonly hasPassword: boolean;
  readonly factors: readonly StoredFactor[];
  readonly recoveryCodesLeft: number;
  readonly avatarUrl: string | null;
  readonly timezone: string | null;
  readonly locale: string | null;
  /** Why the person can't sign in now, or not in every way; empty when nothing is in the way. */
  readonly standing: readonly Hindrance[];
  /** Sessions, live ones first, then the newest. Ended ones are kept for a day. */
  readonly sessions: readonly PersonSession[];
  readonly identities: readonly StoredIdentity[];
  /** The fates of mails to the person, the newest first. */
  readonly mails: readonly MailFate[];
  /** Rows of the audit log about the person, the newest first. */
  readonly events: readonly StoredEvent[];
}
