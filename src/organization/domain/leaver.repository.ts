import type { Statement } from "../../drivers/database/index.ts";

/** Remembers who has left an organization. `removed`: by somebody else. */
export const leavers = {
  note: (organizationId: string, userId: string, removed: boolean): Statement => ({
    sql: `insert into organization_leavers (organization_id, user_id, removed) values ($organizationId, $userId, $removed)
      on conflict (organization_id, user_id) do update set removed = $removed`,
    params: { organizationId, userId, removed: removed ? 1 : 0 },
  }),
} as const;
