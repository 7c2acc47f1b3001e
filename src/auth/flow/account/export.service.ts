import { AppError, invalidFields } from "../../../core/errors.ts";
import { readPosition, unknownPosition, writePosition, type Position } from "../../../core/text/position.ts";
import type { MailKind } from "../../mail/kinds.ts";
import { mentionsOf } from "../../mail/jobs.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import type { Memberships } from "../organization/memberships.ts";
import type { Parts } from "../parts.ts";

export interface StoredIdentity {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly username: string | null;
  readonly linkedAt: number;
  readonly lastLoginAt: number | null;
}

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
  /** The login on the host of an operator. */
  readonly operator: string | null;
  readonly service: string | null;
  readonly organizationId: string | null;
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

type ExportReadOptions = KeptElsewhere & { readonly memberships: Pick<Memberships, "ofUser"> } & Parts<
    | "users"
    | "metadata"
    | "personalTokens"
    | "sessionRows"
    | "delegations"
    | "grantRows"
    | "invitations"
    | "mails"
    | "jobMentions"
    | "storedFactors"
  >;

/** Reads what is stored of an account, for its person (GDPR, articles 15 and 20). No secret and no hash is part of it. */
export function createExportReads(options: ExportReadOptions) {
  const { users, metadata, personalTokens, sessionRows, grantRows, identities, storedFactors } = options;
  const { delegations, invitations, mails, jobMentions, audit, memberships } = options;

  async function eventsOf(userId: string, position: Position | undefined) {
    const events = await audit.ofSubject(userId, position, eventsPerPage);
    const last = events.length < eventsPerPage ? undefined : events.at(-1);
    /** `next`: where the next page of events begins; undefined after the last. */
    return { events, next: last && writePosition(last) };
  }

  async function pageOf(user: UserRow, position: Position | undefined) {
    const [
      events,
      ownSessions,
      linked,
      grants,
      ownMails,
      jobs,
      invited,
      addressMails,
      factors,
      codesLeft,
      kept,
      tokens,
      consents,
      organizations,
    ] = await Promise.all([
      eventsOf(user.id, position),
      sessionRows.listStored(user.id),
      identities.listStored(user.id),
      grantRows.listStored(user.id),
      mails.ofUser(user.id, mostMails),
      jobMentions.list(mentionsOf(user)),
      invitations.listStored(user.id, user.emailKey),
      mails.ofAddress(user.emailKey, mostMails),
      storedFactors.list(user.id),
      storedFactors.recoveryCodesLeft(user.id),
      metadata.openOf(user.id),
      personalTokens.listStored(user.id),
      delegations.consentsOf(user.id),
      memberships.ofUser(user.id),
    ]);
    return {
      user,
      metadata: kept,
      personalTokens: tokens,
      sessions: ownSessions,
      consents,
      organizations,
      identities: linked,
      factors,
      recoveryCodesLeft: codesLeft,
      grants,
      mails: [...ownMails.filter(({ kind }) => kind !== tellsOfOthers), ...addressMails],
      jobs,
      invitations: invited,
      ...events,
    };
  }

  return {
    pageOf,

    /** Returns the first page for somebody who looks after accounts, and has been asked for it. Throws `not_found`. */
    async firstPage(userId: string) {
      const user = await users.byId(userId);
      if (user === undefined) throw new AppError("not_found");
      return pageOf(user, undefined);
    },

    /** Returns a later page of events. */
    eventsBefore: (userId: string, before: string) => eventsOf(userId, positionOf(before)),
  };
}

export type ExportReads = ReturnType<typeof createExportReads>;

/** Hands their own data to people who are signed in. */
export const createExport = ({
  reads,
  users,
  sessions,
  pressure,
}: Parts<"users" | "sessions" | "pressure"> & { readonly reads: Pick<ExportReads, "pageOf"> }) => ({
  /** Returns a page. `before` is the `next` of the last page. Throws `reauthentication_required` without a fresh proof. */
  async gather(session: SessionRow, before: string | undefined) {
    const position = positionOf(before);
    await sessions.requireFreshProof(session);
    await pressure.limitHourly("account-export", session.userId, exportsPerHour);
    const user = await users.byId(session.userId);
    if (user === undefined) throw new AppError("unauthorized");
    return reads.pageOf(user, position);
  },
});

export type ExportService = ReturnType<typeof createExport>;
export type AccountExport = Awaited<ReturnType<ExportService["gather"]>>;
