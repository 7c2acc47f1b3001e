import type { Millis } from "../../core/clock.ts";
import { sql, type Database } from "../../drivers/database/index.ts";
import { listedColumns, storedColumns } from "./session.columns.ts";

/** A condition: the session has not ended. */
export const live = `revoked_at is null and expires_at > $now and (remembered = 1 or last_seen_at > $idleSince)`;
const mostListed = 999;
const listed = {
  live: sql`select ${listedColumns}
    from auth_sessions where user_id = $userId and ${live} and (id = $current or id in
      (select id from auth_sessions where user_id = $userId and ${live}
       order by created_at desc, id desc limit ${mostListed}))
    order by created_at desc, id desc`,
  stored: sql`select ${storedColumns}
    from auth_sessions where user_id = $userId order by created_at desc, id desc limit 1000`,
};

/** The sessions of a user, to be shown. */
export const createSessionLists = (db: Database) => ({
  /** Returns the live sessions, newest first, at most 1,000; the session `current` is among them. */
  listLive: (userId: string, current: string, now: Millis, idleSince: Millis) =>
    db.all(listed.live, { userId, current, now, idleSince }),

  /** Returns the user's sessions of every app, ended ones too, newest first, at most 1,000. */
  listStored: (userId: string) => db.all(listed.stored, { userId }),
});
