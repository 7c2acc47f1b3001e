import { computed, sql, type Database, type RowOf } from "../../drivers/database/index.ts";
import { userColumns } from "../user/user.columns.ts";

const keys = userColumns.pick("id", "emailKey", "usernameKey", "externalId");

/** The keys by which an account is known, and which no two accounts share. */
export type AccountKeys = RowOf<typeof keys>;

const counted = sql`select ${computed<{ accounts: number }>({ accounts: "count(*)" })} from users`;

/** Looks at many accounts at once, for imports. `users` belongs to the user repository. */
export const createTransferRepository = (db: Database) => ({
  /** Returns the accounts that have a key of one of these. */
  async having(accounts: readonly AccountKeys[]): Promise<readonly AccountKeys[]> {
    if (accounts.length === 0) return [];
    const params = Object.fromEntries(
      accounts.flatMap(({ id, emailKey, usernameKey, externalId }, at) => [
        [`i${at}`, id],
        [`e${at}`, emailKey],
        [`u${at}`, usernameKey],
        [`x${at}`, externalId],
      ]),
    );
    const among = (letter: string): string => accounts.map((_, at) => `$${letter}${at}`).join(", ");
    return db.all(
      sql`select ${keys} from users
       where id in (${among("i")}) or email_key in (${among("e")}) or username_key in (${among("u")})
         or external_id in (${among("x")})`,
      params,
    );
  },

  count: async (): Promise<number> => (await db.get(counted))?.accounts ?? 0,
});

export type TransferRepository = ReturnType<typeof createTransferRepository>;
