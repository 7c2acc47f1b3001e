import type { By } from "../../../core/audit.ts";
import { day, type Millis } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { isId, newId } from "../../../core/ids.ts";
import { tryAnew } from "../../../core/pace/anew.ts";
import { writePosition, type Position } from "../../../core/text/position.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import type { InvitationRow, InvitationTerms } from "../../invitation/invitation.repository.ts";
import { invitationState, refusalOf } from "../../invitation/invitation.tokens.ts";
import { invitationJob } from "../../mail/jobs.ts";
import { readRoles } from "../../user/roles.ts";
import type { Parts } from "../parts.ts";
import { readInvitationForm, type InvitationForm } from "./invitation.form.ts";
import { invitingShares } from "./inviting.shares.ts";

/** Who invites to which organization: a member by their account, or a service, an operator or a member of staff. */
interface Inviting {
  readonly organizationId: string;
  readonly by: By;
  /** The member who invites; undefined for everybody else. */
  readonly memberId: string | undefined;
  /** The rank that somebody needs to give the roles. */
  readonly rank: number;
  /** Throws where the inviter may not end an invitation that needs this rank, as inviting the address anew does. */
  readonly mayEnd: (rank: number) => void;
  /** Guards of the inviter's right, the first of which locks the organization. */
  readonly holds: readonly Statement[];
}

interface OrganizationInvitationForm extends Pick<InvitationForm, "email" | "locale" | "days"> {
  /** Roles in the organization, in their stored form. */
  readonly roles: string;
}

/** An invitation of another installation that waits there. */
interface WaitingElsewhere extends Pick<OrganizationInvitationForm, "email" | "locale" | "roles"> {
  readonly rank: number;
  readonly invitedAt: Millis;
  readonly expiresAt: Millis;
}

const furthest: Position = { at: Number.MAX_SAFE_INTEGER, id: "" };

type Options = Parts<"journal" | "users" | "invitations" | "pressure" | "clock"> & {
  /** How many people an organization can invite in a day, and a person in all of theirs. */
  readonly perDay: number;
};

/** Inviting people to organizations, whether they have an account or not. Each act throws AppError. */
export function createOrganizationInvitations({ journal, users, invitations, pressure, perDay, clock }: Options) {
  const present = (row: InvitationRow) => ({
    id: row.id,
    email: row.email,
    roles: readRoles(row.organizationRoles ?? ""),
    locale: row.locale,
    state: invitationState(row, clock.now()),
    invitedBy: row.inviterDisplayName,
    invitedAt: row.invitedAt,
    expiresAt: row.expiresAt,
  });

  async function found(organizationId: string, id: string): Promise<InvitationRow> {
    const row = isId(id) ? await invitations.byId(id) : undefined;
    if (row?.organizationId !== organizationId) throw new AppError("invitation_not_found");
    return row;
  }

  return {
    /** Makes an invitation, or renews the one that waits, and mails its link. Throws `member_exists`, `limit_reached` and `rate_limited`. */
    async invite(
      { roles, ...asked }: OrganizationInvitationForm,
      { organizationId, by, memberId, rank, mayEnd, holds }: Inviting,
      isMember: (userId: string) => Promise<boolean>,
    ) {
      const { emailKey, ttlMs, email, locale } = readInvitationForm(asked);
      return tryAnew(async () => {
        const now = clock.now();
        const account = await users.byEmail(emailKey);
        if (account !== undefined && (await isMember(account.id))) throw new AppError("member_exists");
        const former = await invitations.waiting(emailKey, organizationId);
        if (former !== undefined) mayEnd(former.organizationRank ?? 0);
        const shares = invitingShares(pressure, emailKey, by, former === undefined ? perDay : undefined);
        const terms: InvitationTerms = {
          email,
          roles: "",
          displayName: null,
          locale: locale ?? former?.locale ?? account?.locale ?? null,
          organizationId,
          organizationRoles: roles,
          organizationRank: rank,
          inviterUserId: memberId ?? null,
          inviterService: by.actor === "service" ? by.service : null,
          expiresAt: now + ttlMs,
        };
        const id = former?.id ?? newId();
        const made =
          former === undefined
            ? [invitations.insert(id, emailKey, terms, now), invitations.room(organizationId, perDay, now - day)]
            : [invitations.renew(former, terms, now)];
        const done = await journal.commit({
          statements: [...holds, ...made, ...shares.statements],
          jobs: [invitationJob(id, ttlMs)],
          tell: [
            {
              topic: "auth.user-invited",
              payload: { invitation_id: id, organization_id: organizationId },
              by,
            },
          ],
        });
        if (done.applied) {
          const row = await invitations.byId(id);
          return row && present(row);
        }
        if (done.failedGuard >= holds.length + made.length) throw await shares.refusal();
        if (former === undefined && done.failedGuard === holds.length + 1) throw new AppError("limit_reached");
        return undefined;
      });
    },

    /**
     * Judges an invitation that waits elsewhere. Returns how it is brought in, without a mail and in nobody's name; undefined where the address
     * is invited already.
     */
    async brought({ email, locale, ...terms }: WaitingElsewhere, organizationId: string | undefined) {
      const { emailKey } = readInvitationForm({ email, locale });
      const known = organizationId === undefined ? undefined : await invitations.waiting(emailKey, organizationId);
      if (known !== undefined) return undefined;
      const { roles, rank, invitedAt, expiresAt } = terms;
      const bring = (id: string, to: string): Statement => {
        const inOrganization = { organizationId: to, organizationRoles: roles, organizationRank: rank };
        const byNobody = { inviterUserId: null, inviterService: null };
        const row = { email, roles: "", displayName: null, locale: locale ?? null, expiresAt };
        return invitations.insert(id, emailKey, { ...row, ...inOrganization, ...byNobody }, invitedAt);
      };
      return { emailKey, bring };
    },

    /** Withdraws an invitation: no link of it works any more. */
    async withdraw(
      id: string,
      { organizationId, by, mayEnd, holds }: Pick<Inviting, "organizationId" | "by" | "mayEnd" | "holds">,
    ) {
      return tryAnew(async () => {
        const row = await found(organizationId, id);
        mayEnd(row.organizationRank ?? 0);
        const { applied } = await journal.commit({
          statements: [...holds, invitations.withdraw(row, clock.now())],
          tell: [
            {
              topic: "auth.invitation-withdrawn",
              payload: { invitation_id: row.id, organization_id: organizationId },
              by,
            },
          ],
        });
        const after = await found(organizationId, id);
        if (applied) return present(after);
        if (after.acceptedAt !== null) throw new AppError(refusalOf.accepted);
        if (after.withdrawnAt !== null) throw new AppError(refusalOf.withdrawn);
        return undefined;
      });
    },

    /** Returns the invitations of an organization that wait, the last renewed first. */
    async page(organizationId: string, before: Position | undefined, limit: number) {
      const rows = await invitations.listOf(organizationId, before ?? furthest, limit + 1);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        invitations: rows.slice(0, limit).map(present),
        next: last && writePosition({ at: last.invitedAt, id: last.id }),
      };
    },
  };
}

export type OrganizationInvitations = ReturnType<typeof createOrganizationInvitations>;
export type OrganizationInvitation = Awaited<ReturnType<OrganizationInvitations["withdraw"]>>;
