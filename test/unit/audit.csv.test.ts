import { keptAlike } from "../support/ages.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auditRow, createAudit } from "../../src/audit/index.ts";
import { auditEntry } from "../../src/core/audit.ts";
import { hour } from "../../src/core/clock.ts";
import { csvOf, type FileBounds } from "../../src/staff/console/audit/csv.ts";
import { agesOf } from "../support/ages.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";
import { createRecordingLog } from "../support/log.ts";

const now = Date.UTC(2026, 5, 1);
const held = 1_200;
let temporary: TemporaryDatabase;
beforeAll(async () => {
  temporary = await temporaryDatabase();
  const statements = Array.from({ length: held }, (_, index) =>
    auditRow(
      { name: "app" },
      auditEntry(
        {
          topic: index % 2 === 0 ? "auth.logged-in" : "auth.session-revoked",
          payload: { user_id: "ada", session_id: "one" },
          by: { actor: "operator" },
          at: now - index * 1_000,
        },
        now,
      ),
    ),
  );
  await temporary.database.batch(statements);
});
afterAll(() => temporary.dispose());

const audit = () =>
  createAudit({
    database: temporary.database,
    app: { name: "app" },
    retentionMs: keptAlike(hour),
    clock: { now: () => now },
    ages: agesOf({ now: () => now }),
    log: createRecordingLog(),
  });

function fileOf(bounds: FileBounds, search = {}) {
  const ends: number[] = [];
  const onEnd = async (rows: number) => void ends.push(rows);
  return { ends, lines: csvOf(audit(), { search, bounds, onEnd }) };
}
async function read(bounds: FileBounds, search = {}) {
  const { ends, lines } = fileOf(bounds, search);
  const text = (await Array.fromAsync(lines)).join("");
  const [head = "", ...rest] = text.trimEnd().split("\r\n");
  expect(head).toStartWith('"time","what","action"');
  return { ends, rows: rest.filter((row) => row.startsWith('"2026-')), last: rest.at(-1) ?? "" };
}

describe("S-48 the file of the audit log", () => {
  test.each([
    ["has all that it may hold", { rows: held, lookedAt: 5_000 }, {}, held],
    ["has all that is found", { rows: 5_000, lookedAt: 5_000 }, { action: "auth.logged-in" }, held / 2],
  ])("%s, and then no last line", async (_, bounds, search, count) => {
    const { ends, rows, last } = await read(bounds, search);
    expect(rows).toHaveLength(count);
    expect(last).toBe(rows.at(-1) ?? "");
    expect(ends).toEqual([count]);
  });

  test.each([
    ["one row more than it may hold", { rows: held - 1, lookedAt: 5_000 }, {}, held - 1],
    ["more windows than it may hold", { rows: 700, lookedAt: 5_000 }, {}, 700],
    ["more than may be looked at", { rows: 5_000, lookedAt: 1_000 }, {}, 1_000],
    [
      "more than may be looked at, and nothing in it",
      { rows: 5_000, lookedAt: 500 },
      { action: "auth.logged-in", outcome: "failure" },
      0,
    ],
  ])("says in its last line that it is not whole: there is %s", async (_, bounds, search, count) => {
    const { ends, rows, last } = await read(bounds, search);
    expect(rows).toHaveLength(count);
    expect(last).toStartWith(
      `"The file ends here: it has at most ${bounds.rows.toLocaleString("en")} rows, and a search does not look back for ever.`,
    );
    expect(ends).toEqual([count]);
  });

  test("tells how much of it was taken where the download is broken off", async () => {
    const { ends, lines } = fileOf({ rows: 5_000, lookedAt: 5_000 });
    await lines.next();
    await lines.next();
    await lines.return();
    expect(ends).toEqual([500]);
  });
});
