import type { By, Occurrence } from "../../core/audit.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { UserRow } from "../user/user.repository.ts";

interface Joining {
  readonly statements: readonly Statement[];
  readonly tell: readonly Occurrence[];
}

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
  /**
   * Makes the guards by which a person joins the organization that takes everybody with such an address; undefined where there is none.
   * `provider` is the organization whose own provider has signed them in. Absent where there are no organizations.
   */
  readonly joiningByDomain?:
    | ((
        person: Pick<UserRow, "id" | "emailKey" | "emailVerifiedAt">,
        by: By,
        provider?: string,
      ) => Promise<Joining | undefined>)
    | undefined;
}
