import type { App } from "../../../app/index.ts";
import { byOperator } from "../../../core/audit.ts";
import { timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { withApp } from "../../app/with.app.ts";
import type { CommandContext, ExitCode } from "../../command.ts";

export type Organizations = NonNullable<App["organizations"]>;
export type Organization = Awaited<ReturnType<Organizations["find"]>>;
type Member = Awaited<ReturnType<Organizations["owners"]>>[number];

export const org = { type: "positional", required: true, description: "Slug or id of the organization" } as const;

/** Who acts in every command. */
export const operator = { kind: "office", by: byOperator } as const;

function opened(organizations: App["organizations"]): Organizations {
  if (organizations === undefined) throw new Error("people are in no organizations: ORGANIZATIONS_ENABLED is false");
  return organizations;
}

/** Runs a command on organizations. */
export const withOrganizations = (
  context: CommandContext,
  act: (organizations: Organizations, app: App) => Promise<string | ExitCode>,
): Promise<ExitCode> => withApp(context, async (app) => act(opened(app.organizations), app));

/** Returns the organization that an operator means. */
export async function organizationOf(organizations: App["organizations"], named: string): Promise<Organization> {
  try {
    return await opened(organizations).find(named);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== "organization_not_found") throw error;
    throw new Error("no such organization: org:list --search finds them by the beginning of a name or a slug", {
      cause: error,
    });
  }
}

/** Gives a person something in an organization, which takes an account that is switched on. */
export async function giving<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== "not_found") throw error;
    throw new Error("the account is disabled: user:enable lets its person in again", { cause: error });
  }
}

const rolesOf = ({ roles }: Pick<Member, "roles">): readonly string[] => roles.split(" ");

export const presentOrganization = (organization: Organization) => ({
  id: organization.id,
  slug: organization.slug,
  name: organization.name,
  members: organization.members,
  active_owners: organization.activeOwners,
  created_at: timestamp(organization.createdAt),
});

export const presentMember = (member: Member) => ({
  user_id: member.userId,
  username: member.username,
  email: member.email,
  display_name: member.displayName,
  active: member.userActive === 1,
  roles: rolesOf(member),
  joined_at: timestamp(member.joinedAt),
});
