import { expect } from "bun:test";
import type { Rows } from "./rows.ts";

/** The counts that triggers keep, and the same by a scan of the accounts. */
const counted = `select kind, part, cast(sum(accounts) as bigint) as accounts from account_counts
  where kind in ('factors', 'seen') group by kind, part having sum(accounts) <> 0 order by kind, part`;
const scanned = `select 'factors' as kind, factors as part, count(*) as accounts from users group by factors
  union all select 'seen', last_seen_at - last_seen_at % 86400000, count(*) from users
    where last_seen_at is not null group by last_seen_at - last_seen_at % 86400000
  order by 1, 2`;

/** Expects that accounts are counted as they are. Without the days of their making, which tests move by hand. */
export function expectCounted(rows: Pick<Rows, "all">): void {
  const read = (sql: string) =>
    rows
      .all<{ kind: string; part: unknown; accounts: unknown }>(sql)
      .map(({ kind, part, accounts }) => ({ kind, part: Number(part), accounts: Number(accounts) }));
  const found = read(scanned);
  expect(found.length).toBeGreaterThan(0);
  expect(read(counted)).toEqual(found);
}
