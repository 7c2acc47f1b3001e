import type { Rows } from "../../support/rows.ts";
import type { Target } from "../../support/target.ts";

/** A row of the audit log as the database has it. */
export type AuditRow = Readonly<Record<string, string | number | null>>;

/** The audit log as an operator sees it. */
export function readAudit(rows: Rows) {
  const all = (where = "1 = 1", ...params: string[]): AuditRow[] =>
    rows.all(`select * from audit_events where ${where} order by ${rows.insertion}`, ...params);

  return {
    all,
    /** All rows about that user, once there are so many; rejects when there are not within five seconds. */
    async about(userId: string, count: number, action = "%"): Promise<AuditRow[]> {
      const deadline = performance.now() + 60_000;
      for (;;) {
        const found = all("subject_user_id = ?1 and action like ?2", userId, action);
        if (found.length >= count) return found;
        if (performance.now() > deadline) throw new Error(`${found.length} of ${count} rows: ${JSON.stringify(found)}`);
        await Bun.sleep(10);
      }
    },
  };
}

/** Lets the target tell its events. */
export const telling = { APP_DEBUG: "true" } as const;

/** The topics of the events of those rows, as the target's log tells them, once there is one for each that is published. */
export async function eventsOf(target: Target, rows: readonly AuditRow[]): Promise<string[]> {
  const ids = new Set(rows.map(({ id }) => id));
  const told = (): string[] =>
    target
      .logs()
      .split("\n")
      .filter((line) => line.includes('"message":"event published"'))
      .map((line): unknown => JSON.parse(line))
      .map((line) => new Map<string, unknown>(Object.entries(Object(line))))
      .filter((line) => ids.has(String(line.get("event"))))
      .map((line) => String(line.get("topic")));
  const deadline = performance.now() + 60_000;
  while (told().length < rows.length && performance.now() < deadline) await Bun.sleep(10);
  return told();
}
