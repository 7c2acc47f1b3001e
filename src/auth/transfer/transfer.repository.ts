import { computed, sql, type Database, type RowOf } from "../../drivers/database/index.ts";
import { userColumns } from "../user/user.columns.ts";

const keys = userColumns.pick("id", "emailKey", "usernameKey", "externalId");

/** The keys by which an account is known, and which no two accounts share. */
export type AccountKeys = RowOf<typeof keys>;

const named = userColumns.pick("id", "emailKey", "externalId", "emailVerifiedAt");
export type NamedRow = RowOf<typeof named>;

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

  /** Returns the accounts that have one of these names. */
  async named(by: {
    readonly ids: readonly string[];
    readonly externalIds: readonly string[];
    readonly emailKeys: readonly string[];
  }): Promise<readonly NamedRow[]> {
    const params: Record<string, string> = {};
    const among = (column: string, letter: string, values: readonly string[]): readonly string[] => {
      for (const [at, value] of values.entries()) params[`${letter}${at}`] = value;
      return values.length === 0 ? [] : [`${column} in (${values.map((_, at) => `$${letter}${at}`).join(", ")})`];
    };
    const conditions = [
      ...among("id", "i", by.ids),
      ...among("external_id", "x", by.externalIds),
      ...among("email_key", "e", by.emailKeys),
    ];
    if (conditions.length === 0) return [];
    return db.all(sql`select ${named} from users where ${conditions.join(" or ")}`, params);
  },

  count: async (): Promise<number> => (await db.get(counted))?.accounts ?? 0,
});

export type TransferRepository = ReturnType<typeof createTransferRepository>;
