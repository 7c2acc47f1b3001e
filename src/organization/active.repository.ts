import type { Statement } from "../drivers/database/index.ts";

/** The organization that a session acts for. The methods return statements of a batch, which lock sessions before organizations. */
export const activeOrganizations = {
  /** Has the session act for an organization, or for none. Holds only while the person is a member of it. */
  actFor: (id: string, userId: string, organizationId: string | null): Statement => ({
    guard: true,
    sql: `update auth_sessions set organization_id = $organizationId where id = $id and user_id = $userId
            and (cast($organizationId as text) is null or exists (select 1 from organization_members m
              where m.organization_id = $organizationId and m.user_id = $userId))`,
    params: { id, userId, organizationId },
  }),

  /** Has no session of the user act for the organization any longer. */
  forget: (userId: string, organizationId: string): Statement => ({
    sql: `update auth_sessions set organization_id = null where user_id = $userId and organization_id = $organizationId`,
    params: { userId, organizationId },
  }),
} as const;
