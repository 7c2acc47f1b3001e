import type { Millis } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";

/** What a person is in an organization. */
export interface StoredMembership {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly joinedAt: Millis;
}

/** What accounts have to know of organizations: who owns one, and how somebody joins one. Implemented by `organization`. */
export interface Memberships {
  /** Returns the organizations of a person, 1,000 at most. */
  ofUser(userId: string): Promise<readonly StoredMembership[]>;
  isLastOwner(userId: string): Promise<boolean>;
  /** Returns why somebody can't join an organization, who may have no account yet; undefined where nothing is in the way. */
  refusalOf(organizationId: string, userId: string | undefined): Promise<"member_exists" | "limit_reached" | undefined>;
  /** Makes the guards by which a person gets these roles in an organization. They fail where there is no room, and for a member. */
  joining(member: {
    readonly organizationId: string;
    readonly userId: string;
    /** Role names, with one space between two. */
    readonly roles: string;
  }): readonly Statement[];
}
