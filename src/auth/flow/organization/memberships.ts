import type { By, Occurrence } from "../../../core/audit.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import type { Millis } from "../../../core/clock.ts";
import type { UserRow } from "../../user/user.repository.ts";

/** What a person is in an organization. */
export interface StoredMembership {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly joinedAt: Millis;
}

interface Joining {
  readonly statements: readonly Statement[];
  readonly tell: readonly Occurrence[];
}

/** The provider by which an organization wants somebody signed in. `redirect` is where the browser begins. */
interface RequiredProvider {
  readonly organizationId: string;
  readonly redirect: string;
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
  /**
   * Makes the guards by which a person joins the organization that takes everybody with such an address; undefined where there is none.
   * Absent where there are no organizations.
   */
  readonly joiningByDomain?:
    | ((person: Pick<UserRow, "id" | "emailKey" | "emailVerifiedAt">, by: By) => Promise<Joining | undefined>)
    | undefined;
  /**
   * Returns the provider by which a member with an address below the organization's proven domain has to sign in, unless this identity is one
   * of it. Owners with a second factor may sign in by other ways. Absent where there are no organizations.
   */
  readonly requiredProvider?:
    | ((
        user: Pick<UserRow, "id" | "emailKey" | "factors">,
        identityId?: string,
      ) => Promise<RequiredProvider | undefined>)
    | undefined;
  /**
   * Returns the name of the organization whose provider alone signs the person in to the app that people use; undefined where none demands
   * that. Other than `requiredProvider` the admin app has it, too. Absent where there are no organizations.
   */
  readonly demandOf?: ((user: Pick<UserRow, "id" | "emailKey" | "factors">) => Promise<string | undefined>) | undefined;
  /** As `requiredProvider`, for somebody who has no account yet and is invited to the organization. */
  readonly requiredOfInvited?:
    | ((organizationId: string, emailKey: string) => Promise<RequiredProvider | undefined>)
    | undefined;
}
