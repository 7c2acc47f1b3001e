import { foldedName, patched, type Journal, type MergePatch } from "../auth/index.ts";
import type { Occurrence } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, invalidFields } from "../core/errors.ts";
import { isFault } from "../core/fields.ts";
import { newId } from "../core/ids.ts";
import { tryAnew } from "../core/pace/anew.ts";
import type { Statement } from "../drivers/database/index.ts";
import { actsAsOwner, byOf, type Actor, type Standings } from "./actor.ts";
import type { MemberRepository } from "./member.repository.ts";
import type { OrganizationRepository } from "./organization.repository.ts";
import { owner } from "./roles.ts";
import { slugFault, slugKey, slugOf } from "./slug.ts";

export interface OrganizationOptions {
  readonly config: {
    readonly creation: "anyone" | "staff";
    readonly maxPerPerson: number;
    readonly maxMembers: number;
  };
  readonly organizations: OrganizationRepository;
  readonly members: MemberRepository;
  readonly standingOf: Standings;
  readonly journal: Journal;
  /** Returns the first lock of a batch that gives an account something: it holds only while the account is active. */
  readonly lockUser: (userId: string) => Statement;
  readonly clock: Clock;
}

interface NewOrganization {
  readonly name: string;
  readonly slug?: string | undefined;
  /** Whose it is. */
  readonly userId: string;
}

export interface OrganizationChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly metadata?: MergePatch | undefined;
}

const mostSlugs = 5;

function requireSlug(slug: string | undefined): void {
  const fault = slug === undefined ? undefined : slugFault(slug);
  if (fault !== undefined) throw invalidFields({ slug: fault });
}

/** Makes, changes and removes organizations. Each act throws AppError. */
export function createOrganizations(options: OrganizationOptions) {
  const { config, organizations, members, standingOf, journal, lockUser, clock } = options;

  /** Resolves to the id; undefined where the slug, which was made of the name, has been taken. */
  async function insert({ name, slug, userId }: NewOrganization, actor: Actor, attempt: number) {
    const now = clock.now();
    const [id, chosen] = [newId(), slug ?? slugOf(name, attempt)];
    const by = byOf(actor);
    const made = await journal.commit({
      statements: [
        lockUser(userId),
        organizations.insert(
          { id, slug: chosen, slugKey: slugKey(chosen), name, nameKey: foldedName(name), metadata: null },
          now,
        ),
        members.insert({ organizationId: id, userId, roles: "owner", rank: owner }, config.maxPerPerson, now),
      ],
      tell: [
        { topic: "organization.created", payload: { organization_id: id }, by },
        { topic: "organization.member-added", payload: { organization_id: id, user_id: userId, roles: ["owner"] }, by },
      ],
    });
    if (made.applied) return id;
    if (made.failedGuard === 2) throw new AppError("limit_reached");
    if (made.failedGuard === 0) throw new AppError(actor.kind === "person" ? "unauthorized" : "not_found");
    if (slug !== undefined) throw new AppError("slug_taken");
    return undefined;
  }

  return {
    /** Throws `slug_taken`, `limit_reached`, `forbidden` where people make none, and `not_found` where the owner has no active account. */
    async create(asked: NewOrganization, actor: Actor): Promise<string> {
      if (actor.kind === "person" && config.creation === "staff") throw new AppError("forbidden");
      requireSlug(asked.slug);
      let attempt = 0;
      return tryAnew(() => insert(asked, actor, attempt++), mostSlugs);
    },

    async update(actor: Actor, id: string, { name, slug, metadata }: OrganizationChange): Promise<void> {
      requireSlug(slug);
      await tryAnew(async () => {
        const standing = await standingOf(actor, id, slug === undefined ? 1 : owner);
        const { organization, holds } = standing;
        if (slug !== undefined && !actsAsOwner(standing)) throw new AppError("forbidden");
        const kept = metadata === undefined ? undefined : patched(organization.metadata ?? "{}", metadata);
        if (isFault(kept)) throw invalidFields({ metadata: kept });
        const changed = {
          ...(name !== undefined && name !== organization.name && { name, nameKey: foldedName(name) }),
          ...(slug !== undefined && slug !== organization.slug && { slug, slugKey: slugKey(slug) }),
          ...(kept !== undefined && kept !== (organization.metadata ?? "{}") && { metadata: kept }),
        };
        const names = Object.keys(changed).filter((field) => field !== "slugKey" && field !== "nameKey");
        if (names.length === 0) return true;
        const told: Occurrence = {
          topic: "organization.updated",
          payload: { organization_id: id, changed: names },
          by: byOf(actor),
        };
        const done = await journal.commit({
          statements: [organizations.update(id, changed, organization.metadata, clock.now()), ...holds],
          tell: [told],
        });
        if (done.applied) return true;
        if (done.failedGuard === 0 && changed.slugKey !== undefined) {
          const other = await organizations.byKey(changed.slugKey);
          if (other !== undefined && other.id !== id) throw new AppError("slug_taken");
        }
        return undefined;
      });
    },

    /** Removes the organization, with everything in it. */
    async remove(actor: Actor, id: string): Promise<void> {
      await tryAnew(async () => {
        const { holds } = await standingOf(actor, id, owner);
        const done = await journal.commit({
          statements: [organizations.hold(id, 0), ...holds, organizations.remove(id)],
          tell: [{ topic: "organization.deleted", payload: { organization_id: id }, by: byOf(actor) }],
        });
        return done.applied || undefined;
      });
    },
  };
}

export type Organizations = ReturnType<typeof createOrganizations>;
