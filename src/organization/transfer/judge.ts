import type { AccountNames, NamedAccount } from "../../auth/index.ts";
import type { Millis } from "../../core/clock.ts";
import type { MemberRepository } from "../member.repository.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import { owner, rankOf, writeRoles, type Rank } from "../roles.ts";
import { slugKey } from "../slug.ts";
import type { NewParts, Parts } from "./parts.ts";
import type { TransferredOrganization } from "./record.ts";

export interface JudgeOptions {
  readonly rows: Pick<OrganizationRepository, "byId" | "bySlug" | "byKey">;
  readonly memberRows: Pick<MemberRepository, "among">;
  readonly accountsNamed: (names: readonly AccountNames[]) => Promise<readonly NamedAccount[]>;
  readonly parts: Pick<Parts, "judge">;
  readonly maxMembers: number;
}

export interface NewMember {
  readonly userId: string;
  /** In their stored form. */
  readonly roles: string;
  readonly rank: Rank;
  readonly joinedAt: Millis | undefined;
}

/** What a line asks for. */
export interface Verdict {
  /** The organization that is there already; undefined where one has to be made, or where a trial would have made it. */
  readonly existing: string | undefined;
  readonly isNew: boolean;
  /** Owners first, then in the order of their ids. */
  readonly added: readonly NewMember[];
  /** How many are members already, and stay what they are. */
  readonly already: number;
  /** How many have no account here, and are left out. */
  readonly left: number;
  readonly parts: NewParts;
}

/** What was met in a file so far: without its lines, the slugs of organizations that a trial would have made are known nowhere. */
export interface Met {
  /** Key of a slug, by which two look alike → the slug. */
  readonly keys: Map<string, string>;
  /** The last organization of the file, and how many members it would have. */
  last: { readonly slug: string; readonly members: number } | undefined;
}

interface Judged {
  readonly skipsUnknown: boolean;
  readonly met: Met;
}

const flawWords = {
  unknown: "has no account here",
  several: "names several accounts",
  unproven: "has an account whose address is not proven, and could be anybody's: give its id",
} as const;

/** Finds out what a line would change, or what is wrong with it. Changes nothing. */
export function createJudge({ rows, memberRows, accountsNamed, parts, maxMembers }: JudgeOptions) {
  /** Returns why there can't be an organization of this slug; undefined where there can be. */
  async function conflictOf({ slug, id }: TransferredOrganization, met: Met): Promise<string | undefined> {
    const key = slugKey(slug);
    if (met.keys.has(key) || (await rows.byKey(key)) !== undefined)
      return "slug: looks like that of another organization";
    return id !== undefined && (await rows.byId(id)) !== undefined ? "id: belongs to another organization" : undefined;
  }

  /** Returns the members with their accounts, or the fault of one of them. */
  async function withAccounts({ members }: TransferredOrganization, skipsUnknown: boolean) {
    const accounts = await accountsNamed(members.map(({ names }) => names));
    const found: NewMember[] = [];
    const seen = new Set<string>();
    for (const [at, { roles, joinedAt }] of members.entries()) {
      const account = accounts[at] ?? { flaw: "unknown" };
      if ("flaw" in account) {
        if (skipsUnknown && account.flaw !== "several") continue;
        return `members: entry ${at + 1} ${flawWords[account.flaw]}`;
      }
      if (seen.has(account.id)) return `members: entry ${at + 1} is the account of an entry before it`;
      seen.add(account.id);
      found.push({ userId: account.id, roles: writeRoles(roles), rank: rankOf(roles), joinedAt });
    }
    return found;
  }

  return async (one: TransferredOrganization, { skipsUnknown, met }: Judged): Promise<Verdict | string> => {
    const stored = await rows.bySlug(one.slug);
    const isContinued = met.keys.get(slugKey(one.slug)) === one.slug;
    const isNew = stored === undefined && !isContinued;
    const conflict = isNew ? await conflictOf(one, met) : undefined;
    if (conflict !== undefined) return conflict;
    const members = await withAccounts(one, skipsUnknown);
    if (typeof members === "string") return members;
    if (isNew && one.name === undefined) return "name: is missing, and there is no organization of this slug yet";
    if (isNew && !members.some(({ rank }) => rank === owner))
      return "members: must have one with the role owner, since there is no organization of this slug yet";
    const known =
      stored &&
      (await memberRows.among(
        stored.id,
        members.map(({ userId }) => userId),
      ));
    const added = members.filter(({ userId }) => known?.has(userId) !== true);
    const before = met.last?.slug === one.slug ? met.last.members : (stored?.members ?? 0);
    if (before + added.length > maxMembers) return `members: would be more than ${maxMembers} in one organization`;
    const others = await parts.judge(one, stored?.id, stored?.id ?? one.id);
    if (typeof others === "string") return others;
    met.keys.set(slugKey(one.slug), one.slug);
    met.last = { slug: one.slug, members: before + added.length };
    return {
      existing: stored?.id,
      isNew,
      added: added.toSorted((a, b) => b.rank - a.rank || (a.userId < b.userId ? -1 : 1)),
      already: members.length - added.length,
      left: one.members.length - members.length,
      parts: others,
    };
  };
}
