import type { Millis } from "../../core/clock.ts";
import { column, sql, tableOf, type Database, type RowOf, type Statement } from "../../drivers/database/index.ts";

const stored = tableOf("idp_devices", {
  deviceHash: column<string>("device_hash"),
  userCodeHash: column<string>("user_code_hash"),
  clientId: column<string>("client_id"),
  request: column<string>("request"),
  address: column<string>("address"),
  userAgent: column<string>("user_agent"),
  state: column<"pending" | "allowed" | "denied" | "used">("state"),
  userId: column<string | null>("user_id"),
  parentId: column<string | null>("parent_id"),
  polledAt: column<Millis | null>("polled_at"),
  intervalMs: column<number>("interval_ms"),
  sessionId: column<string | null>("session_id"),
  createdAt: column<Millis>("created_at"),
  expiresAt: column<Millis>("expires_at"),
});
export type DeviceRow = RowOf<typeof stored>;

const found = {
  byDevice: sql`select ${stored} from idp_devices where device_hash = $hash`,
  waiting: sql`select ${stored} from idp_devices where user_code_hash = $hash and state = 'pending' and expires_at > $now`,
};
const inserted = stored.insert({
  state: "'pending'",
  userId: "null",
  parentId: "null",
  polledAt: "null",
  sessionId: "null",
});
const insertDevice = `insert into ${inserted.into} values (${inserted.values}) on conflict do nothing`;

interface Answer extends Pick<DeviceRow, "deviceHash" | "request"> {
  readonly state: "allowed" | "denied";
  readonly userId: string;
  readonly parentId: string;
  readonly now: Millis;
}

/** Owns `idp_devices`. Methods named for a change return the statement of a batch. */
export const createDeviceRepository = (db: Database) => ({
  find: (hash: string) => db.get(found.byDevice, { hash }),
  findWaiting: (hash: string, now: Millis) => db.get(found.waiting, { hash, now }),

  /** Resolves to false where another device has the code for people. */
  async insert(device: Omit<DeviceRow, "state" | "userId" | "parentId" | "polledAt" | "sessionId">): Promise<boolean> {
    return (await db.run(insertDevice, inserted.params(device))).changes === 1;
  },

  /** Holds once, and only while the device waits. */
  answer: (answer: Answer): Statement => ({
    guard: true,
    sql: `update idp_devices set state = $state, user_id = $userId, parent_id = $parentId, request = $request
          where device_hash = $deviceHash and state = 'pending' and expires_at > $now`,
    params: { ...answer },
  }),

  /** Notes that a device has asked. Resolves to false where it asks too soon: of two calls at a time one does. */
  async poll(hash: string, now: Millis, toleranceMs: number): Promise<boolean> {
    const { changes } = await db.run(
      `update idp_devices set polled_at = $now
       where device_hash = $hash and (polled_at is null or polled_at <= $now - interval_ms + $toleranceMs)`,
      { hash, now, toleranceMs },
    );
    return changes === 1;
  },

  async slowDown(hash: string, now: Millis, moreMs: number): Promise<void> {
    await db.run(
      "update idp_devices set polled_at = $now, interval_ms = interval_ms + $moreMs where device_hash = $hash",
      { hash, now, moreMs },
    );
  },

  /** Takes back what a person has allowed devices of a client that have not come for it yet. */
  withdraw: (userId: string, clientId: string): Statement => ({
    sql: "update idp_devices set state = 'denied' where user_id = $userId and client_id = $clientId and state = 'allowed'",
    params: { userId, clientId },
  }),

  /** Holds once, and only for what was allowed. */
  use: (hash: string, sessionId: string, now: Millis): Statement => ({
    guard: true,
    sql: `update idp_devices set state = 'used', session_id = $sessionId
          where device_hash = $hash and state = 'allowed' and expires_at > $now`,
    params: { hash, sessionId, now },
  }),
});

export type DeviceRepository = ReturnType<typeof createDeviceRepository>;
