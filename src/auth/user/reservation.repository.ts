import { hour, type Millis } from "../../core/clock.ts";
import { sql, column, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const reservationKinds = ["email", "username"] as const;
export type ReservationKind = (typeof reservationKinds)[number];

/** How long a user name that somebody has given up is kept from others. */
const usernameKeptMs = 30 * 24 * hour;
/**
 * How long an address that an account has left is kept from others, until the link that leads back to it is mailed and sets its own end:
 * that mail is tried for a day, and the link is good for three.
 */
const addressKeptMs = 4 * 24 * hour;

const stored = tableOf("auth_reservations", {
  kind: column<ReservationKind>("kind"),
  key: column<string>("reserved_key"),
  userId: column<string>("user_id"),
  expiresAt: column<Millis>("expires_at"),
});
const columns = stored.as("r").pick("kind", "key", "userId");
export type Reservation = RowOf<typeof columns>;

/** An end that lies further ahead than any reservation lasts was written while the clock was wrong. */
const isOpen = (kind: ReservationKind, key: string): string =>
  `r.kind = '${kind}' and r.reserved_key = ${key} and r.expires_at > $now and r.expires_at <= $now + ${usernameKeptMs}`;
/** A condition: an account other than `$id` still has a claim to the address or the name. */
export const reservedForOthers = (kind: ReservationKind, key: string): string =>
  `exists (select 1 from auth_reservations r where ${isOpen(kind, key)} and r.user_id <> $id)`;

const inserted = stored.insert();
// The user who holds a reservation keeps it: an account can have taken the name only while nobody had a claim.
const insertReservation = `insert into ${inserted.into} values (${inserted.values})
  on conflict (kind, reserved_key) do update set user_id = $userId, expires_at = $expiresAt
    where auth_reservations.user_id = $userId or auth_reservations.expires_at <= $now
       or auth_reservations.expires_at > $now + ${usernameKeptMs}`;
const reservedFor = (kind: ReservationKind) =>
  sql`select ${stored.as("r").pick("userId")} from auth_reservations r where ${isOpen(kind, "$key")}`;
const found = { email: reservedFor("email"), username: reservedFor("username") };

const reserve = (kind: ReservationKind, key: string, userId: string, now: Millis, expiresAt: Millis): Statement => ({
  sql: insertReservation,
  params: { ...inserted.params({ kind, key, userId, expiresAt }), now },
});

/** Owns `auth_reservations`: addresses and user names that an account has given up, and that nobody else gets for a while. */
export const createReservations = (db: Database) => ({
  /** Keeps the address, in the batch by which the account gives it up: a mailed link will lead back to it. */
  keepAddress: (key: string, userId: string, now: Millis): Statement =>
    reserve("email", key, userId, now, now + addressKeptMs),

  /** Keeps the name, in the batch by which the account gives it up. */
  keepUsername: (key: string, userId: string, now: Millis): Statement =>
    reserve("username", key, userId, now, now + usernameKeptMs),

  /** Ends reservations, in the batch by which the account takes address and name up again. */
  release: (userId: string, keys: Readonly<Record<ReservationKind, string>>): Statement => ({
    sql: `delete from auth_reservations where user_id = $userId
            and ((kind = 'email' and reserved_key = $email) or (kind = 'username' and reserved_key = $username))`,
    params: { userId, ...keys },
  }),

  /** Keeps an address until `expiresAt` that is already kept for this account. */
  async keepAddressUntil(key: string, userId: string, expiresAt: Millis): Promise<void> {
    await db.run(
      `update auth_reservations set expires_at = $expiresAt where kind = 'email' and reserved_key = $key and user_id = $userId`,
      { key, userId, expiresAt },
    );
  },

  /** Returns the id of the account for which the address or name is kept. */
  async reservedFor(kind: ReservationKind, key: string, now: Millis): Promise<string | undefined> {
    return (await db.get(found[kind], { key, now }))?.userId;
  },

  /** Returns the reservations in force among these keys, each with the user that it is for. */
  async allReserved(
    keys: Readonly<Record<ReservationKind, readonly string[]>>,
    now: Millis,
  ): Promise<readonly Reservation[]> {
    // PostgreSQL takes no empty list.
    const sought = reservationKinds.filter((kind) => keys[kind].length > 0);
    if (sought.length === 0) return [];
    const params = Object.entries(keys).flatMap(([kind, each]) =>
      each.map((key, at) => [`${kind}${at}`, key] as const),
    );
    const among = (kind: ReservationKind): string =>
      `(r.kind = '${kind}' and r.reserved_key in (${keys[kind].map((_, at) => `$${kind}${at}`).join(", ")}))`;
    return db.all(
      sql`select ${columns} from auth_reservations r
       where r.expires_at > $now and r.expires_at <= $now + ${usernameKeptMs}
         and (${sought.map(among).join(" or ")})`,
      { ...Object.fromEntries(params), now },
    );
  },
});
