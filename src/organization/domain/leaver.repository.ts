import { column, tableOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("organization_leavers", {
  organizationId: column<string>("organization_id"),
  userId: column<string>("user_id"),
  /** 1 where somebody else has taken them out. */
  removed: column<number>("removed"),
});
const inserted = stored.insert();
const noteLeaver = `insert into ${inserted.into} values (${inserted.values})
  on conflict (organization_id, user_id) do update set removed = $removed`;

/** Remembers who has left an organization. `isRemoved`: by somebody else. */
export const leavers = {
  note: (organizationId: string, userId: string, isRemoved: boolean): Statement => ({
    sql: noteLeaver,
    params: inserted.params({ organizationId, userId, removed: isRemoved ? 1 : 0 }),
  }),
} as const;
