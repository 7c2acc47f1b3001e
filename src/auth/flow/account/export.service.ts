import { AppError, invalidFields } from "../../../core/errors.ts";
import { readPosition, unknownPosition, writePosition, type Position } from "../../../core/text/position.ts";
import type { JobMentions, MentionedJob } from "../../../drivers/queue/index.ts";
import type { StoredFactor, StoredFactors } from "../../factor/stored.factors.ts";
import type { StoredGrant } from "../../grant/grant.columns.ts";
import type { GrantRepository } from "../../grant/grant.repository.ts";
import type { InvitationRepository, InvitationRow } from "../../invitation/invitation.repository.ts";
import type { MailFate, MailFates } from "../../mail/fates.ts";
import type { MailKind } from "../../mail/kinds.ts";
import { mentionsOf } from "../../mail/jobs.ts";
import type { Limits } from "../../pressure/limits.ts";
import type { StoredSession } from "../../session/session.columns.ts";
import type { SessionRepository, SessionRow } from "../../session/session.repository.ts";
import type { SessionService } from "../../session/session.service.ts";
import type { UserRepository, UserRow } from "../../user/user.repository.ts";

/** An identity at a provider, with everything that is stored of it. */
export interface StoredIdentity {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly username: string | null;
  readonly linkedAt: number;
  readonly lastLoginAt: number | null;
}

/** A row of the audit log about the account. */
export interface StoredEvent {
  readonly id: string;
  readonly at: number;
  readonly app: string;
  readonly action: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly actor: string;
  /** The account's own user, or a member of staff. */
  readonly actorUserId: string | null;
  /** The name of the service that acted. */
  readonly service: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly count: number;
  /** When the event's effect ends by itself, such as a lock. */
  readonly endsAt: number | null;
}

/** Data that other features keep of accounts. */
export interface KeptElsewhere {
  readonly identities: { listStored(userId: string): Promise<readonly StoredIdentity[]> };
  readonly audit: {
    ofSubject(userId: string, before: Position | undefined, limit: number): Promise<readonly StoredEvent[]>;
  };
}

interface ExportOptions extends KeptElsewhere {
  readonly users: UserRepository;
  readonly sessions: Pick<SessionService, "requireFreshProof">;
  readonly sessionRows: SessionRepository;
  readonly grantRows: GrantRepository;
  readonly invitations: Pick<InvitationRepository, "listStored">;
  readonly mails: Pick<MailFates, "ofUser" | "ofAddress">;
  readonly jobMentions: Pick<JobMentions, "list">;
  readonly storedFactors: Pick<StoredFactors, "list" | "recoveryCodesLeft">;
  readonly pressure: Pick<Limits, "limitHourly">;
}

export interface AccountExport {
  readonly user: UserRow;
  readonly sessions: readonly StoredSession[];
  readonly identities: readonly StoredIdentity[];
  readonly factors: readonly StoredFactor[];
  readonly recoveryCodesLeft: number;
  readonly grants: readonly StoredGrant[];
  readonly invitations: readonly InvitationRow[];
  readonly mails: readonly MailFate[];
  readonly jobs: readonly MentionedJob[];
  readonly events: readonly StoredEvent[];
  /** Where the next page of events begins; undefined after the last. */
  readonly next: string | undefined;
}

/** The log comes in pages, so that no answer grows without bound: strangers who guess passwords add rows to it. */
const eventsPerPage = 2_000;
const mostMails = 1_000;
/** Left out of exports: a mail to the address that an account wants to move to tells whether somebody else has that address. */
const tellsOfOthers: MailKind = "email_change_link";
/** Enough exports in an hour to read a long log page by page. */
const exportsPerHour = 60;

function positionOf(cursor: string | undefined): Position | undefined {
  const position = cursor === undefined ? undefined : readPosition(cursor);
  if (cursor !== undefined && position === undefined) throw invalidFields({ events_before: unknownPosition });
  return position;
}

/** Gathers what is stored of an account, for its own user (GDPR, articles 15 and 20). No secret and no hash is part of it. */
export const createExport = (options: ExportOptions) => ({
  /** Returns a page. `before` is the `next` of the last page. Throws `reauthentication_required` without a fresh proof. */
  async gather(session: SessionRow, before: string | undefined): Promise<AccountExport> {
    const {
      users,
      sessions,
      sessionRows,
      grantRows,
      identities,
      storedFactors,
      invitations,
      mails,
      jobMentions,
      audit,
      pressure,
    } = options;
    const position = positionOf(before);
    await sessions.requireFreshProof(session);
    await pressure.limitHourly("account-export", session.userId, exportsPerHour);
    const user = await users.byId(session.userId);
    if (user === undefined) throw new AppError("unauthorized");
    const [events, ...rest] = await Promise.all([
      audit.ofSubject(user.id, position, eventsPerPage),
      sessionRows.listStored(user.id),
      identities.listStored(user.id),
      grantRows.listStored(user.id),
      mails.ofUser(user.id, mostMails),
      jobMentions.list(mentionsOf(user)),
      invitations.listStored(user.id, user.emailKey),
      mails.ofAddress(user.emailKey, mostMails),
      storedFactors.list(user.id),
      storedFactors.recoveryCodesLeft(user.id),
    ]);
    const last = events.length < eventsPerPage ? undefined : events.at(-1);
    return {
      user,
      sessions: rest[0],
      identities: rest[1],
      factors: rest[7],
      recoveryCodesLeft: rest[8],
      grants: rest[2],
      mails: [...rest[3].filter(({ kind }) => kind !== tellsOfOthers), ...rest[6]],
      jobs: rest[4],
      invitations: rest[5],
      events,
      next: last && writePosition(last),
    };
  },
});

export type ExportService = ReturnType<typeof createExport>;
