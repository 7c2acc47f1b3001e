import type { Statement } from "../../drivers/database/index.ts";
import type { By } from "../../core/audit.ts";
import type { ClientOf } from "../client.ts";
import type { Evictions } from "../flow/eviction/eviction.ts";
import type { OrganizationInvitations } from "../flow/invitation/organization.invitations.ts";
import { organizationNoticeJob } from "../mail/jobs.ts";
import type { Journal } from "../journal.ts";
import type { SessionRow } from "../session/session.repository.ts";
import type { Pressure } from "../pressure/pressure.ts";
import type { SessionService } from "../session/session.service.ts";
import type { UserRepository } from "../user/user.repository.ts";
import type { Guard } from "./session/guard.ts";

interface OrganizationAuthOptions {
  readonly guard: Guard;
  readonly clientOf: ClientOf;
  readonly journal: Journal;
  readonly users: Pick<UserRepository, "lock" | "lockAny" | "byId">;
  readonly pressure: Pick<Pressure, "limitHourly" | "limitAddress">;
  readonly sessions: Pick<SessionService, "hold" | "requireFreshProof">;
  readonly invitations: OrganizationInvitations;
  readonly evictions: Evictions;
}

/** The parts of accounts and sessions that organizations need. */
export const createOrganizationAuth = ({
  guard,
  clientOf,
  journal,
  users,
  pressure,
  sessions,
  invitations,
  evictions,
}: OrganizationAuthOptions) => ({
  guard,
  clientOf,
  journal,
  invitations,
  /** Locks an account that is active. */
  lockUser: users.lock,
  lockAnyUser: users.lockAny,
  userById: users.byId,
  /** Ends whatever holds an account, since its organization demands its own provider: sessions, personal tokens, and links that lead in. */
  async endHeld(userId: string, by: By): Promise<void> {
    await journal.commit({
      statements: [users.lockAny(userId), ...evictions.evict(userId, "sessions_revoked").statements],
      tell: [
        {
          topic: "auth.session-revoked",
          payload: { user_id: userId, session_id: null },
          by,
          reason: "provider_required",
        },
      ],
    });
  },
  /** Returns the mail that tells an owner of what has happened to their organization. */
  noticeOf: organizationNoticeJob,
  requireFreshProof: sessions.requireFreshProof,
  /** Charges a request that anyone may send to the client's address. Throws `rate_limited`. */
  limitAddress: pressure.limitAddress,
  /** Charges one of the `limit` times an hour that somebody may do this. Throws `rate_limited`. */
  limitHourly: pressure.limitHourly,
  /** Holds only while the session serves. */
  holdSession: (session: SessionRow): Statement => sessions.hold(session),
});

export type OrganizationAuth = ReturnType<typeof createOrganizationAuth>;
