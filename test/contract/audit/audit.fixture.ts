import type { Rows } from "../../support/rows.ts";
import type { Target } from "../../support/target.ts";

/** A row of the audit log as stored in the database. */
export type AuditRow = Readonly<Record<string, string | number | null>>;

/** Reads the audit log as an operator does. */
export function readAudit(rows: Rows) {
  const all = (where = "1 = 1", ...params: string[]): AuditRow[] =>
    rows.all(`select * from audit_events where ${where} order by ${rows.insertion}`, ...params);

  return {
    all,
    /** Resolves to all rows about that user once there are `count` of them. Rejects when a minute passes first. */
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

/** Settings with which the target logs its events. */
export const telling = { APP_DEBUG: "true" } as const;

/** Resolves to the topics of the logged events of those rows. Waits until each row has its event, at most a minute. */
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
