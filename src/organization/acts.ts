import type { OrganizationAuth, SessionRow } from "../auth/index.ts";
import { AppError, invalidFields } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { readPosition, unknownPosition } from "../core/text/position.ts";
import { activeOrganizations } from "./active.repository.ts";
import { actsAsOwner, byOf, type Actor, type Standings } from "./actor.ts";
import type { Domains } from "./domain/domains.ts";
import type { JoinActs } from "./domain/join.acts.ts";
import type { ProviderActs } from "./provider/wiring.ts";
import type { MemberRepository } from "./member.repository.ts";
import type { Members } from "./members.ts";
import type { OrganizationRepository, OwnOrganization } from "./organization.repository.ts";
import type { Organizations } from "./organizations.ts";
import { admin, owner, rankOf, rolesFault, writeRoles } from "./roles.ts";
import { readLimit } from "./schemas.ts";

interface ActOptions {
  readonly auth: OrganizationAuth;
  readonly organizations: Organizations;
  readonly members: Members;
  readonly domains: Domains;
  readonly joining: JoinActs;
  readonly provided: ProviderActs;
  readonly standingOf: Standings;
  readonly rows: OrganizationRepository;
  readonly memberRows: MemberRepository;
}

interface Page {
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** Returns the id after which a page begins. */
function afterOf({ cursor }: Page): string {
  if (cursor === undefined) return "";
  if (!isId(cursor)) throw invalidFields({ cursor: unknownPosition });
  return cursor;
}

interface Invited {
  readonly email: string;
  readonly roles?: readonly string[] | undefined;
  readonly locale?: string | undefined;
}

/** What people and services do to organizations: the routes of both say the same. */
export function createActs({
  auth,
  organizations,
  members,
  domains,
  joining,
  provided,
  standingOf,
  rows,
  memberRows,
}: ActOptions) {
  const { invitations } = auth;

  /** Returns a page of what was read with one row more. */
  const pageOf = <Row extends { readonly id: string }>(found: readonly Row[], most: number) => ({
    page: found.slice(0, most),
    next: found.length > most ? (found[most - 1]?.id ?? null) : null,
  });

  async function own(session: Pick<SessionRow, "id" | "userId">, id: string): Promise<OwnOrganization> {
    const found = isId(id) ? await rows.ofMember(id, session.userId, session.id) : undefined;
    if (found === undefined) throw new AppError("organization_not_found");
    return found;
  }

  /** Returns how somebody invites, or ends an invitation: the organization is locked, and the right to it holds. */
  async function inviting(actor: Actor, id: string, rank: number) {
    const standing = await standingOf(actor, id, admin);
    if (rank === owner && !actsAsOwner(standing)) throw new AppError("forbidden");
    const memberId = actor.kind === "person" ? actor.session.userId : undefined;
    const held = memberId === undefined ? [] : [memberRows.hold(id, memberId, rank === owner ? owner : admin)];
    return {
      organizationId: id,
      by: byOf(actor),
      memberId,
      rank: Math.max(rank, admin),
      mayEnd(needed: number): void {
        if (needed === owner && !actsAsOwner(standing)) throw new AppError("forbidden");
      },
      holds: [rows.hold(id, 0), ...held],
    };
  }

  return {
    own,
    organizations,
    members,
    domains,
    joining,
    ...provided,

    async ofPerson({ id, userId }: SessionRow, query: Page) {
      const most = readLimit(query.limit);
      return pageOf(await rows.ofUser(userId, id, afterOf(query), most + 1), most);
    },

    async all(query: Page) {
      const most = readLimit(query.limit);
      return pageOf(await rows.page(afterOf(query), most + 1), most);
    },

    async one(id: string) {
      const found = isId(id) ? await rows.byId(id) : undefined;
      if (found === undefined) throw new AppError("organization_not_found");
      return found;
    },

    async memberPage(actor: Actor, id: string, query: Page) {
      const { members: page, next } = await members.page(actor, id, afterOf(query), readLimit(query.limit));
      return { page, next: next ?? null };
    },

    /** Has the session act for an organization of its person, or for none. */
    async switchTo(session: SessionRow, id: string | null): Promise<OwnOrganization | null> {
      const done = await auth.journal.commit({
        statements: [auth.holdSession(session), activeOrganizations.actFor(session.id, session.userId, id)],
      });
      if (!done.applied) throw new AppError(done.failedGuard === 0 ? "unauthorized" : "organization_not_found");
      return id === null ? null : own(session, id);
    },

    async invite(actor: Actor, id: string, { email, roles = ["member"], locale }: Invited) {
      const fault = rolesFault(roles);
      if (fault !== undefined) throw invalidFields({ roles: fault });
      const way = await inviting(actor, id, rankOf(roles));
      const isMember = async (userId: string): Promise<boolean> => (await memberRows.find(id, userId)) !== undefined;
      return invitations.invite({ email, roles: writeRoles(roles), locale }, way, isMember);
    },

    async withdraw(actor: Actor, id: string, invitation: string) {
      return invitations.withdraw(invitation, await inviting(actor, id, admin));
    },

    async invitationPage(actor: Actor, id: string, { cursor, limit }: Page) {
      await standingOf(actor, id, admin);
      const before = cursor === undefined ? undefined : readPosition(cursor);
      if (cursor !== undefined && before === undefined) throw invalidFields({ cursor: unknownPosition });
      const { invitations: page, next } = await invitations.page(id, before, readLimit(limit));
      return { page, next: next ?? null };
    },
  };
}

export type Acts = ReturnType<typeof createActs>;
