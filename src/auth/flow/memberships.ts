import type { Statement } from "../../drivers/database/index.ts";

/** What accounts have to know of organizations: who owns one, and how somebody joins one. Implemented by `organization`. */
export interface Memberships {
  isLastOwner(userId: string): Promise<boolean>;
  isMember(organizationId: string, userId: string): Promise<boolean>;
  /** Makes the guards by which a person gets these roles in an organization. They fail where there is no room, and for a member. */
  joining(member: {
    readonly organizationId: string;
    readonly userId: string;
    /** Role names, with one space between two. */
    readonly roles: string;
  }): readonly Statement[];
}
