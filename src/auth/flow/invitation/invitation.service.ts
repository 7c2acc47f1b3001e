import type { By } from "../../../core/audit.ts";
import { day } from "../../../core/clock.ts";
import { AppError, invalidFields } from "../../../core/errors.ts";
import { isId, newId } from "../../../core/ids.ts";
import { mayDoTo } from "../../../core/people/staff.ts";
import { readPosition, unknownPosition, writePosition, type Position } from "../../../core/text/position.ts";
import { noOrganization, type InvitationRow, type InvitationTerms } from "../../invitation/invitation.repository.ts";
import { invitationState, refusalOf } from "../../invitation/invitation.tokens.ts";
import { invitationJob } from "../../mail/jobs.ts";
import { emailKey } from "../../user/identifiers.ts";
import { hasStaffRole, readRoles } from "../../user/roles.ts";
import { invitingShares } from "./inviting.shares.ts";
import { readInvitationForm, type InvitationForm } from "./invitation.form.ts";
import type { Parts } from "../parts.ts";
import { tryAnew } from "../../../core/pace/anew.ts";

export interface InvitationQuery {
  /** Includes invitations that were accepted or withdrawn lately. */
  readonly all?: boolean | undefined;
  /** The `next` of an earlier page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

const inviterOf = (by: By): Pick<InvitationTerms, "inviterUserId" | "inviterService"> => ({
  inviterUserId: by.actor === "staff" ? by.userId : null,
  inviterService: by.actor === "service" ? by.service : null,
});

/**
 * Returns whose invitation it is afterwards. Support sends an invitation again and makes none: it stays that of who made it, and stands only
 * as long as they may invite. Throws `forbidden` where there is none to send again, and where it makes somebody one of the staff.
 */
function inviterAfter(by: By, roles: string, kept: InvitationRow | undefined) {
  if (by.actor !== "staff" || mayDoTo("invitations.invite", [by.role], [])) return inviterOf(by);
  if (kept === undefined || !mayDoTo("invitations.resend", [by.role], readRoles(roles)))
    throw new AppError("forbidden");
  return { inviterUserId: kept.inviterUserId, inviterService: kept.inviterService };
}

function positionOf(cursor: string | undefined): Position | undefined {
  const position = cursor === undefined ? undefined : readPosition(cursor);
  if (cursor !== undefined && position === undefined) throw invalidFields({ cursor: unknownPosition });
  return position;
}

type InvitationOptions = Parts<"journal" | "users" | "invitations" | "mails" | "pressure" | "clock">;

/**
 * Inviting people, by an operator, a member of staff or a service that has the permission. The invitation, not its link, holds what the
 * invited are given. Each act throws AppError.
 */
export function createInvitations({ journal, users, invitations, mails, pressure, clock }: InvitationOptions) {
  const present = (row: InvitationRow) => ({
    id: row.id,
    email: row.email,
    roles: readRoles(row.roles),
    displayName: row.displayName,
    locale: row.locale,
    state: invitationState(row, clock.now()),
    invitedBy:
      row.inviterUserId !== null
        ? ({ actor: "staff", name: row.inviterUsername } as const)
        : row.inviterService !== null
          ? ({ actor: "service", name: row.inviterService } as const)
          : ({ actor: "operator", name: null } as const),
    invitedAt: row.invitedAt,
    expiresAt: row.expiresAt,
    withdrawnAt: row.withdrawnAt,
    acceptedAt: row.acceptedAt,
    acceptedUserId: row.acceptedUserId,
  });

  async function refuseTaken(key: string): Promise<void> {
    const owner = await users.claimantOfEmail(key, clock.now());
    if (owner === undefined) return;
    if (owner.active === 1)
      throw new AppError("email_taken", {
        detail: "There is an account with this address already. Give that one the roles instead.",
      });
    throw new AppError("email_taken", {
      detail: "There is an account with this address already, and it is disabled. Enable that one instead.",
      flaw: "inactive",
    });
  }

  /** A service may not make a person one of the staff, nor prolong or end an invitation that does. */
  function requireMayGive(roles: string, by: By): void {
    if (by.actor === "service" && hasStaffRole(roles))
      throw new AppError("forbidden", { detail: "Staff are invited by operators and admins alone." });
  }

  async function found(emailOrId: string): Promise<InvitationRow> {
    const key = emailKey(emailOrId);
    const row =
      key !== undefined
        ? await invitations.waiting(key)
        : isId(emailOrId)
          ? await invitations.byId(emailOrId)
          : undefined;
    // What is of an organization is for its own members to end.
    if (row === undefined || row.organizationId !== null) throw new AppError("invitation_not_found");
    return row;
  }

  /**
   * Makes an invitation, or renews the one that waits, and mails its link. `requireRoles` throws where the inviter may give no roles. It is
   * called whenever the invitation gives some, those of the waiting one included.
   */
  async function invite(form: InvitationForm, by: By, requireRoles = (): void => undefined) {
    const { emailKey: key, ttlMs, ...given } = readInvitationForm(form);
    const shares = invitingShares(pressure, key, by);
    return tryAnew(async () => {
      await refuseTaken(key);
      const now = clock.now();
      const former = await invitations.waiting(key);
      // Terms by an inviter who may no longer invite are not taken over unseen.
      const kept = former?.stands === 1 ? former : undefined;
      const roles = given.roles ?? kept?.roles ?? "";
      const terms: InvitationTerms = {
        email: given.email,
        roles,
        displayName: given.displayName ?? kept?.displayName ?? null,
        locale: given.locale ?? kept?.locale ?? null,
        ...noOrganization,
        ...inviterAfter(by, roles, kept),
        expiresAt: now + ttlMs,
      };
      if (terms.roles !== "") requireRoles();
      requireMayGive(terms.roles, by);
      const id = former?.id ?? newId();
      const outcome = await journal.commit({
        statements: [
          former === undefined ? invitations.insert(id, key, terms, now) : invitations.renew(former, terms, now),
          ...shares.statements,
        ],
        jobs: [invitationJob(id, ttlMs)],
        tell: [{ topic: "auth.user-invited", payload: { invitation_id: id }, by }],
      });
      if (!outcome.applied) {
        if (outcome.failedGuard > 0) throw await shares.refusal();
        return undefined;
      }
      const row = await invitations.byId(id);
      return row && { invitation: present(row), isRenewed: former !== undefined };
    });
  }

  return {
    invite,

    /** Mails the waiting invitation with this id once more, for as many days as at first. */
    async resend(id: string, by: By) {
      const row = isId(id) ? await invitations.byId(id) : undefined;
      if (row === undefined) throw new AppError("invitation_not_found");
      const state = invitationState(row, clock.now());
      if (state !== "waiting" && state !== "expired") throw new AppError(refusalOf[state]);
      return invite({ email: row.email, days: Math.round((row.expiresAt - row.invitedAt) / day) }, by);
    },

    /** Withdraws the invitation of an address or with an id: no link of it works any more. */
    async withdraw(emailOrId: string, by: By) {
      const row = await found(emailOrId);
      requireMayGive(row.roles, by);
      const { applied } = await journal.commit({
        statements: [invitations.withdraw(row, clock.now())],
        tell: [{ topic: "auth.invitation-withdrawn", payload: { invitation_id: row.id }, by }],
      });
      const after = await invitations.byId(row.id);
      if (after === undefined) throw new AppError("invitation_not_found");
      if (applied) return present(after);
      throw new AppError(after.acceptedAt === null ? refusalOf.withdrawn : refusalOf.accepted);
    },

    /** Deletes the stored invitations of an address. Resolves to how many there were. */
    async forget(email: string, by: By): Promise<number> {
      const key = emailKey(email);
      if (key === undefined) throw new AppError("invitation_not_found");
      const waiting = await invitations.waiting(key);
      const forgotten = await journal.commit({
        statements: [invitations.forget(key), mails.forgetAddress(key)],
        tell:
          waiting === undefined
            ? []
            : [{ topic: "auth.invitation-withdrawn", payload: { invitation_id: waiting.id }, by }],
      });
      return forgotten.applied ? (forgotten.results[0]?.changes ?? 0) : 0;
    },

    async list({ all = false, cursor, limit }: InvitationQuery) {
      const rows = await invitations.list({ all, before: positionOf(cursor) }, limit);
      const last = rows.length < limit ? undefined : rows.at(-1);
      return { invitations: rows.map(present), next: last && writePosition({ at: last.invitedAt, id: last.id }) };
    },
  };
}

export type Invitations = ReturnType<typeof createInvitations>;
export type Invitation = Awaited<ReturnType<Invitations["withdraw"]>>;
