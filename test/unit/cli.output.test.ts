import { describe, expect, test } from "bun:test";
import { defaultWidth, harmless, table, wrapped } from "../../src/cli/terminal/columns.ts";
import { jsonLine } from "../../src/cli/terminal/json.ts";
import { createProgress } from "../../src/cli/terminal/progress.ts";
import { commands } from "../../src/cli/table.ts";

/** Commands that have no data for a program: the roles, the script of a shell, and what runs another command; and one that prints a file of JSON. */
const withoutJson = new Set(["run", "api", "worker", "scheduler", "completion", "host:run", "words:list"]);

describe("every command", () => {
  test.each([...commands].filter(([name]) => !withoutJson.has(name)))(
    "%s takes --json and says whether it prints one object or one a line",
    async (name, { load, summary }) => {
      const usage = await (await load()).usage(`gatehouse ${name}`, summary);
      // A long description goes on below itself.
      expect(usage.replaceAll(/\n {20,}/g, " ")).toMatch(/--json +Print one object of JSON(?: a line \(NDJSON\))?$/m);
    },
  );

  test.each([...commands])("%s has a usage that fits 80 columns", async (name, { load, summary }) => {
    const usage = await (await load()).usage(`gatehouse-admin ${name}`, summary);
    expect(usage.split("\n").filter((line) => line.length > defaultWidth)).toEqual([]);
    expect(`  ${"".padEnd(20)}  ${summary}`.length).toBeLessThanOrEqual(defaultWidth);
  });
});

describe("a table", () => {
  const columns = [
    { head: "NAME", of: ({ name }: { name: string }) => name, least: 8 },
    { head: "TIME", of: () => "2026-11-22 10:05:55" },
  ];

  test("is as wide as its cells, without spaces at the end of a line", () => {
    expect(table([{ name: "ada" }, { name: "grace" }], columns)).toBe(
      "NAME   TIME\nada    2026-11-22 10:05:55\ngrace  2026-11-22 10:05:55",
    );
  });

  test("goes on in the line below where a cell is too long, and loses nothing", () => {
    const name = `${"a".repeat(40)}@${"b".repeat(60)}.example.test`;
    const lines = table([{ name }], columns).split("\n").slice(1);
    expect(lines.filter((line) => line.length > defaultWidth)).toEqual([]);
    expect(lines.map((line) => line.replace("2026-11-22 10:05:55", "").trim()).join("")).toBe(name);
    expect(table([{ name }], columns, 200).split("\n")).toHaveLength(2);
  });

  test("counts what a letter takes on the screen", () => {
    const [, wide = "", narrow = ""] = table([{ name: "張三" }, { name: "ada" }], columns).split("\n");
    expect(Bun.stringWidth(wide)).toBe(Bun.stringWidth(narrow));
  });

  test("breaks after spaces, else after marks, else anywhere", () => {
    expect(wrapped("locked until 14:05 after 5 wrong passwords", 20)).toEqual([
      "locked until 14:05",
      "after 5 wrong",
      "passwords",
    ]);
    expect(wrapped("ada.lovelace@example.test", 14)).toEqual(["ada.lovelace@", "example.test"]);
    expect(wrapped("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
    expect(wrapped("", 3)).toEqual([""]);
  });
});

test("V-20 what others have written can't steer the operator's terminal, in tables and in JSON", () => {
  const hostile = "a\u001b[31mb\u009b1m\u007f\u202egnp.exe\u2066\r\nc";
  const steering = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
  const printed = [
    harmless(hostile),
    jsonLine({ hostile }),
    table([hostile], [{ head: "X", of: (text) => text }]).split("\n")[1] ?? "",
  ];
  for (const text of printed) expect(text).not.toMatch(steering);
  expect(JSON.parse(jsonLine({ hostile }))).toEqual({ hostile });
});

const fail = (text: string): never => {
  throw new Error(`a line that nobody expects: ${text}`);
};

describe("a bar", () => {
  test("is drawn where somebody watches, fits the line, and is taken away", () => {
    const drawn: string[] = [];
    let at = 0;
    const draw = (text: string) => void drawn.push(text);
    const progress = createProgress({ draw, err: fail }, { doing: "importing", now: () => at });
    progress.show(1, 100_000);
    expect(drawn).toEqual([]);
    at = 10_000;
    progress.show(50_001, 100_000);
    expect(drawn[0]).toStartWith("importing [############............] 50 %  50,001 of 100,000, 10 s left");
    expect(drawn[0]?.length).toBeLessThan(defaultWidth);
    progress.end();
    expect(drawn.at(-1)).toBe("");
  });

  test("says how long it takes by what was done since its first count, and nothing before", () => {
    const drawn: string[] = [];
    let at = 0;
    const draw = (text: string) => void drawn.push(text);
    const progress = createProgress({ draw, err: fail }, { doing: "comparing", now: () => at });
    at = 60_000;
    progress.show(1, 1_001);
    at = 61_000;
    progress.show(501, 1_001);
    expect(drawn).toEqual([
      "comparing [........................] 0 %  1 of 1,001",
      "comparing [############............] 50 %  501 of 1,001, 1 s left",
    ]);
  });

  test("is a line now and then elsewhere, and none for work that is short", () => {
    const lines: string[] = [];
    let at = 0;
    const err = (text: string) => void lines.push(text);
    const progress = createProgress({ err }, { doing: "copying", of: "rows", now: () => at });
    for (at = 0; at <= 25_000; at += 500) progress.show(at, 100_000);
    progress.end();
    expect(lines).toEqual([
      "copying: 10 %, 10,000 of 100,000 rows, 90 s left",
      "copying: 20 %, 20,000 of 100,000 rows, 80 s left",
    ]);
    const short = createProgress({ err: fail }, { doing: "importing", now: () => 0 });
    short.show(1, 2);
    short.end();
  });
});
