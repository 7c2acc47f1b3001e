import { sql, together, type Database } from "../../../drivers/database/index.ts";
import { userColumns } from "../../user/user.columns.ts";
import type { ActingSession, ClaimedUser } from "./claims.ts";
import { beside } from "../session.columns.ts";

const claimed = together(
  userColumns.as("u").pick("roles", "email", "emailVerifiedAt", "displayName", "locale"),
  beside.claims,
);
const found = {
  account: sql`select ${claimed} from users u where u.id = $userId`,
  withOrganization: sql`select ${claimed}, ${beside.organization} from users u left join auth_sessions s on s.id = $sessionId
    where u.id = $userId`,
} as const;

/** Reads what the claims of an account are made of, and of one of its sessions where those act for organizations. */
export const createClaimReader =
  (db: Database, hasOrganizations: boolean) =>
  (userId: string, sessionId: string): Promise<(ClaimedUser & Partial<ActingSession>) | undefined> =>
    hasOrganizations ? db.get(found.withOrganization, { userId, sessionId }) : db.get(found.account, { userId });

export type ClaimReader = ReturnType<typeof createClaimReader>;
