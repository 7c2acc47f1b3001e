import { second } from "../../../core/clock.ts";
import type { IndexCapability } from "../index.ts";
import type { Pool } from "./pool.ts";

/** Any number that no other lock of the database uses. The lock goes with its connection, however that ends. */
const lockKey = 4_715_302_812;
const pauseMs = second;
/** Hours: an index of a hundred million rows takes less. */
const mostPauses = 4 * 60 * 60;
const mostTries = 3;

/** Whether the index is whole. Where its build was interrupted, one stays that nothing uses. No row where there is none. */
const look = (name: string): string =>
  `select indisvalid as whole from pg_index where indexrelid = to_regclass('${name}')`;

const dropIfBroken = (name: string): string => `do $$ begin
  if exists (select from pg_index where indexrelid = to_regclass('${name}') and not indisvalid) then
    perform set_config('lock_timeout', '500ms', true);
    drop index ${name};
  end if;
end $$`;

/** Builds indexes concurrently, which waits for every transaction that has begun before, and holds up none. */
export function createIndexing(pool: Pool): IndexCapability {
  const ask = <Row>(text: string): Promise<Row[]> => pool.query((connection) => connection.unsafe<Row[]>(text));

  /** Runs statements one after the other, outside any transaction and for as long as they need. False while another process does so. */
  const runAlone = (statements: readonly string[]): Promise<boolean> =>
    pool.hold(async (connection) => {
      const asked = <Row>(text: string) => pool.answered(connection.unsafe<Row[]>(text));
      const [lock] = await asked<{ taken: boolean }>(`select pg_try_advisory_lock(${lockKey}) as taken`);
      if (lock?.taken !== true) return false;
      try {
        await asked("set lock_timeout to 0");
        for (const statement of statements) await asked(statement);
        return true;
      } finally {
        await asked("reset lock_timeout");
        await asked(`select pg_advisory_unlock(${lockKey})`);
      }
    });

  return {
    async build({ name, statement }) {
      const built = statement.replace(/\bindex\b/i, "index concurrently if not exists");
      let tries = 0;
      for (let pauses = 0; pauses < mostPauses; pauses += 1) {
        const [found] = await ask<{ whole: boolean }>(look(name));
        if (found?.whole === true) return;
        if (tries >= mostTries) throw new Error(`the server could not build the index ${name}: see its log`);
        if (await runAlone([dropIfBroken(name), built])) tries += 1;
        else await Bun.sleep(pauseMs);
      }
      throw new Error(`another process has been building the index ${name} for hours: look at the server`);
    },
  };
}
