import {
  column,
  sql,
  tableOf,
  type Database,
  type RowOf,
  type SqlValue,
  type Statement,
} from "../../drivers/database/index.ts";

/** Every column of `account_metadata`. The objects are texts of JSON. */
const stored = tableOf("account_metadata", {
  userId: column<string>("user_id"),
  /** What services write, and the person and tokens read. */
  app: column<string>("app_metadata"),
  /** What the person writes. */
  user: column<string>("user_metadata"),
  /** What services alone read and write. */
  private: column<string>("private_metadata"),
});
type Row = RowOf<typeof stored>;

const open = stored.pick("app", "user");

/** The three objects of an account, as texts of JSON. An account without a row has three empty ones. */
export type Metadata = Omit<Row, "userId">;
/** The objects that the account's own person may see. */
export type OpenMetadata = RowOf<typeof open>;
export type MetadataKind = keyof Metadata;

export const metadataKinds = ["app", "user", "private"] as const satisfies readonly MetadataKind[];

export const noMetadata: Metadata = { app: "{}", user: "{}", private: "{}" };

/** The texts of one object: as it was read, and as it is to be. */
interface Change {
  readonly from: string;
  readonly to: string;
}

const found = {
  open: sql`select ${open} from account_metadata where user_id = $userId`,
  whole: sql`select ${stored.except("userId")} from account_metadata where user_id = $userId`,
};
const inserted = stored.insert();

/** Owns `account_metadata`. A batch that writes it holds the user's row first. */
export const createMetadataRepository = (db: Database) => ({
  /** Returns what the account's own person may see; the private object is not read. */
  openOf: async (userId: string): Promise<OpenMetadata> => (await db.get(found.open, { userId })) ?? noMetadata,

  of: async (userId: string): Promise<Metadata> => (await db.get(found.whole, { userId })) ?? noMetadata,

  /** Returns the objects of those of the accounts that have some, by their ids. */
  async ofUsers(ids: readonly string[]): Promise<ReadonlyMap<string, Metadata>> {
    if (ids.length === 0) return new Map();
    const params = Object.fromEntries(ids.map((id, at) => [`id${at}`, id]));
    const among = ids.map((_, at) => `$id${at}`).join(", ");
    const rows = await db.all(sql`select ${stored} from account_metadata where user_id in (${among})`, params);
    return new Map(rows.map(({ userId, ...metadata }) => [userId, metadata]));
  },

  /** Writes the objects of a new account. */
  insert: (userId: string, metadata: Metadata): Statement => ({
    sql: `insert into ${inserted.into} values (${inserted.values})`,
    params: inserted.params({ userId, ...metadata }),
  }),

  /** Writes the given objects. The guard fails where one of them is no longer what it was read as: then look again. */
  change: (userId: string, changes: Readonly<Partial<Record<MetadataKind, Change>>>): Statement => {
    const changed = metadataKinds.flatMap((kind) => {
      const change = changes[kind];
      return change === undefined ? [] : [{ kind, column: stored.columnOf(kind), ...change }];
    });
    const params: Record<string, SqlValue> = { ...inserted.params({ userId, ...noMetadata }) };
    for (const { kind, from, to } of changed) {
      params[kind] = to;
      params[`${kind}From`] = from;
    }
    // A row that is not there yet stands for three empty objects: anything else that was read belongs to a row that has gone.
    const areEmpty = changed.map(({ kind }) => `$${kind}From = '{}'`).join(" and ");
    return {
      guard: true,
      sql: `insert into ${inserted.into} select ${inserted.values}
          where (${areEmpty}) or exists (select 1 from account_metadata where user_id = $userId)
        on conflict (user_id) do update set ${changed.map(({ kind, column: name }) => `${name} = $${kind}`).join(", ")}
          where ${changed.map(({ kind, column: name }) => `account_metadata.${name} = $${kind}From`).join(" and ")}`,
      params,
    };
  },
});

export type MetadataRepository = ReturnType<typeof createMetadataRepository>;
