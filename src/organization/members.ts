import { AppError, invalidFields } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { tryAnew } from "../core/pace/anew.ts";
import type { Statement } from "../drivers/database/index.ts";
import { actsAsOwner, byOf, type Actor, type Standing } from "./actor.ts";
import { leavers } from "./domain/leaver.repository.ts";
import type { Member } from "./member.repository.ts";
import type { OrganizationOptions } from "./organizations.ts";
import { admin, owner, rankOf, readRoles, rolesFault, writeRoles } from "./roles.ts";

interface MemberOptions extends OrganizationOptions {
  /** Returns the statement by which no session of the person acts for the organization any longer. */
  readonly forgetActive: (userId: string, organizationId: string) => Statement;
}

/** Who is in an organization, and as what. Each act throws AppError. */
export function createMembers(options: MemberOptions) {
  const { config, organizations, members, standingOf, journal, lockUser, forgetActive, clock } = options;

  async function found(id: string, userId: string): Promise<Member> {
    const one = isId(userId) ? await members.find(id, userId) : undefined;
    if (one === undefined) throw new AppError("member_not_found");
    return one;
  }

  /** Owners alone touch owners, and make them. */
  function requireOver(standing: Standing, ...ranks: readonly number[]): void {
    if (ranks.includes(owner) && !actsAsOwner(standing)) throw new AppError("forbidden");
  }

  const holdsFor = ({ holds, own, organization: { id } }: Standing, userId: string, ...ranks: readonly number[]) =>
    own !== undefined && ranks.includes(owner) ? [members.hold(id, userId, owner)] : holds;

  const actorId = (actor: Actor): string => (actor.kind === "person" ? actor.session.userId : "");

  /** Takes a member away. Undefined where something changed meanwhile. */
  async function takeAway(id: string, one: Member, holds: readonly Statement[], actor: Actor) {
    const done = await journal.commit({
      statements: [
        forgetActive(one.userId, id),
        organizations.hold(id, one.rank === owner ? 1 : 0),
        ...holds,
        members.remove(id, one.userId, one.roles),
        leavers.note(id, one.userId, actorId(actor) !== one.userId),
      ],
      tell: [
        {
          topic: "organization.member-removed",
          payload: { organization_id: id, user_id: one.userId },
          by: byOf(actor),
        },
      ],
    });
    if (done.applied) return true;
    if (done.failedGuard === 1 && one.rank === owner && (await organizations.byId(id)) !== undefined)
      throw new AppError("last_owner");
    return undefined;
  }

  return {
    find: found,

    async page(actor: Actor, id: string, after: string, limit: number) {
      await standingOf(actor, id, 0);
      const page = await members.page(id, after, limit + 1);
      return { members: page.slice(0, limit), next: page.length > limit ? page[limit - 1]?.userId : undefined };
    },

    /** Adds an account. Throws `not_found`, `member_exists` and `limit_reached`. */
    async add(actor: Actor, id: string, userId: string, roles: readonly string[]): Promise<void> {
      const fault = rolesFault(roles);
      if (fault !== undefined) throw invalidFields({ roles: fault });
      const rank = rankOf(roles);
      const standing = await standingOf(actor, id, admin);
      requireOver(standing, rank);
      const one = { organizationId: id, userId, roles: writeRoles(roles), rank };
      const done = await journal.commit({
        statements: [
          lockUser(userId),
          organizations.countMember(id, rank === owner, config.maxMembers),
          ...holdsFor(standing, actorId(actor), rank),
          members.insert(one, config.maxPerPerson, clock.now()),
        ],
        tell: [
          {
            topic: "organization.member-added",
            payload: { organization_id: id, user_id: userId, roles: readRoles(one.roles) },
            by: byOf(actor),
          },
        ],
      });
      if (done.applied) return;
      if (done.failedGuard === 0) throw new AppError("not_found");
      await standingOf(actor, id, admin);
      throw new AppError((await members.find(id, userId)) === undefined ? "limit_reached" : "member_exists");
    },

    /** Gives a member these roles, in place of those that they had. Throws `last_owner`. */
    async setRoles(actor: Actor, id: string, userId: string, roles: readonly string[]): Promise<Member> {
      const fault = rolesFault(roles);
      if (fault !== undefined) throw invalidFields({ roles: fault });
      const [rank, written] = [rankOf(roles), writeRoles(roles)];
      return tryAnew(async () => {
        const standing = await standingOf(actor, id, admin);
        const one = await found(id, userId);
        requireOver(standing, rank, one.rank);
        if (one.roles === written) return one;
        const more = rank === one.rank ? 0 : rank === owner ? 1 : one.rank === owner ? -1 : 0;
        const done = await journal.commit({
          statements: [
            organizations.countOwners(id, more),
            ...holdsFor(standing, actorId(actor), rank, one.rank),
            members.setRoles({ organizationId: id, userId, roles: written, rank }, one.roles),
          ],
          tell: [
            {
              topic: "organization.roles-changed",
              payload: { organization_id: id, user_id: userId, roles: readRoles(written) },
              by: byOf(actor),
            },
          ],
        });
        if (done.applied) return { ...one, roles: written, rank };
        if (done.failedGuard === 0 && more === -1 && (await organizations.byId(id)) !== undefined)
          throw new AppError("last_owner");
        return undefined;
      });
    },

    async remove(actor: Actor, id: string, userId: string): Promise<void> {
      await tryAnew(async () => {
        const standing = await standingOf(actor, id, admin);
        const one = await found(id, userId);
        requireOver(standing, one.rank);
        return takeAway(id, one, holdsFor(standing, actorId(actor), one.rank), actor);
      });
    },

    /** Takes the person out who asks. */
    async leave(actor: Extract<Actor, { kind: "person" }>, id: string): Promise<void> {
      await tryAnew(async () => {
        await standingOf(actor, id, 0);
        return takeAway(id, await found(id, actor.session.userId), [], actor);
      });
    },
  };
}

export type Members = ReturnType<typeof createMembers>;
