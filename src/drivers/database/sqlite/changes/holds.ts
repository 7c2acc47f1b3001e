import { Database as Connection } from "bun:sqlite";

/**
 * Connections that hold a read transaction for as long as nobody may begin the write-ahead log anew, hand over hand: the next one holds
 * before the last one lets go.
 *
 * Nothing is lost then, because SQLite begins the log anew only when all of it is in the database file and no reader needs it. A reader
 * whose state includes frames of the log prevents that. A reader that came when all of the log was in the file already does not; but SQLite
 * moves no further frame into the file while that one reads. So the log can only be begun anew as long as nothing was added since that
 * reader came, and what is added afterwards stays.
 */
export function openHolds(path: string) {
  const open = (): Connection => {
    const connection = new Connection(path, { strict: true, readwrite: true, create: false });
    // Other connections look after the log's length: this one must not do so unasked.
    for (const pragma of ["busy_timeout = 0", "wal_autocheckpoint = 0", "cache_size = -64"])
      connection.run(`pragma ${pragma}`);
    return connection;
  };
  let [holding, spare] = [open(), open()];
  const writer = open();

  function hold(connection: Connection): void {
    connection.run("begin");
    try {
      // A transaction sees a state from its first read on.
      connection.prepare("select count(*) from sqlite_schema").get();
    } catch (error) {
      connection.run("rollback");
      throw error;
    }
  }

  function letGo(connection: Connection): void {
    if (connection.inTransaction) connection.run("rollback");
  }

  return {
    /** Holds the newest state beside the one that is held. */
    take: (): void => hold(spare),
    /** Lets go of the state that `take` has taken. */
    giveBack: (): void => letGo(spare),
    /** Lets go of the older of the two states. */
    pass(): void {
      letGo(holding);
      [holding, spare] = [spare, holding];
    },
    /** Moves the frames that no reader needs from the log into the database file. Waits for nobody. */
    empty: (): void => void spare.prepare("pragma wal_checkpoint(passive)").get(),
    /** Keeps writers waiting while `work` runs; throws SQLITE_BUSY where a write is under way. */
    withoutWriters(work: () => void): void {
      writer.run("begin immediate");
      try {
        work();
      } finally {
        writer.run("rollback");
      }
    },
    close(): void {
      for (const connection of [holding, spare, writer]) {
        letGo(connection);
        connection.close(true);
      }
    },
  };
}
