import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testEnvironment } from "./support/environment.ts";

// `bun run make`, in a copy of the tree. What it says is to be added is added by this test, and then the copy has to be sound.
const root = join(import.meta.dir, "..");
let tree = "";
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), "gatehouse-make-"));
  const copied = ["src", "migrations", "systemd", "package.json", "tsconfig.json", ".oxlintrc.json"];
  for (const name of copied) await cp(join(root, name), join(tree, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(tree, "node_modules"));
});
afterAll(() => rm(tree, { recursive: true }));

async function run(...command: string[]) {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: tree,
    env: { PATH: process.env["PATH"] ?? "", ...testEnvironment(tree), NO_COLOR: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}
const make = (...args: string[]) => run("src/make/index.ts", ...args);
const text = (path: string): Promise<string> => Bun.file(join(tree, path)).text();

async function written(): Promise<readonly string[]> {
  const folders = [".", "src", "migrations"].map((name) =>
    readdir(join(tree, name), { recursive: !name.startsWith(".") }),
  );
  return (await Promise.all(folders)).flat().toSorted();
}

/** Where a person would put it. `its imports` is the top, for any other place the line in front of it is given. */
const anchors: Readonly<Record<string, RegExp>> = {
  "src/app/modules.ts, `modules`": /^const modules = \{/m,
  "src/main.ts, `modules`": /^ {2}modules: \[/m,
  "src/admin.ts, `modules`": /^ {2}modules: \[/m,
  "src/cli/table.ts, the group that it belongs to": /title: "Settings and help",\n\s*commands: \{/,
  "src/core/topics.ts, `topics`": /export const topics = \{/,
  "src/words/english/staff/reasons/actions.ts, `actions`": /export const actions = \{/,
  "src/words/staff.de.json, its beginning": /^\{/,
};

/** Adds what was asked for; returns the new files. */
async function obey(answer: string): Promise<readonly string[]> {
  for (const [, place = "", line = ""] of answer.matchAll(/^add to (.+):\n {2}(.+)$/gm)) {
    const [file = "", where = ""] = place.split(", ");
    if (file.endsWith(".md")) continue;
    const old = await text(file);
    const list = old.lastIndexOf("];");
    const anchor = anchors[place];
    const next =
      where === "its imports"
        ? `${line}\n${old}`
        : where === "the end of `migrations`"
          ? `${old.slice(0, list)}  ${line}\n${old.slice(list)}`
          : anchor && old.replace(anchor, (found) => `${found}\n  ${line}`);
    if (next === undefined || next === old) throw new Error(`no such place: ${place}`);
    await Bun.write(join(tree, file), next);
  }
  return [...answer.matchAll(/^created (.+)$/gm)].map(([, path = ""]) => path);
}

describe("bun run make", () => {
  /** What was made. */
  const files: string[] = [];

  test("writes files, and says where they are registered", async () => {
    for (const [kind, name] of [
      ["job", "reports:sync"],
      ["job", "SyncReports"],
      ["schedule", "reports:daily"],
      ["schedule", "NightlyReports"],
      ["command", "reports:sync-all"],
      ["command", "Reports"],
      ["migration", "AddReports"],
      ["migration", "add_report_lines"],
    ] as const) {
      const { code, stdout, stderr } = await make(kind, name);
      expect({ kind, name, code, stderr }).toEqual({ kind, name, code: 0, stderr: "" });
      files.push(...(await obey(stdout)));
    }
    expect(files.filter((path) => !path.endsWith(".sql"))).toEqual([
      "src/reports/sync.job.ts",
      "src/syncreports/syncreports.job.ts",
      "src/reports/daily.schedule.ts",
      "src/nightlyreports/nightlyreports.schedule.ts",
      "src/cli/commands/reports.sync-all.ts",
      "src/cli/commands/reports.reports.ts",
    ]);
  }, 120_000);

  test("writes subscribers of events", async () => {
    for (const [name, topic] of [
      ["reports:archived", "reports.archived"],
      ["ReportsLost", "reportslost"],
    ] as const) {
      const { code, stdout, stderr } = await make("event", name);
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: "" });
      files.push(...(await obey(stdout)));
      expect(await text(files.at(-1) ?? "")).toContain(`"${topic}"`);
    }
  }, 120_000);

  test("what it writes compiles and is linted, where it is registered as it says", async () => {
    const checked = files.filter((path) => path.endsWith(".ts"));
    const check = await run("check", "--no-script", "--all");
    expect({ code: check.code, output: check.code === 0 ? "" : check.stdout + check.stderr }).toEqual({
      code: 0,
      output: "",
    });
    const oxlint = ["--bun", join("node_modules", ".bin", "oxlint"), "--type-aware", "--deny-warnings"];
    const lint = await run(...oxlint, ...checked);
    expect({ code: lint.code, output: lint.code === 0 ? "" : lint.stdout + lint.stderr }).toEqual({
      code: 0,
      output: "",
    });
  }, 120_000);

  test("names: a group is kept, words without one are made compact", async () => {
    expect(await text("src/reports/sync.job.ts")).toContain('reportsSyncJobName = "reports:sync"');
    expect(await text("src/syncreports/syncreports.job.ts")).toContain('syncReportsJobName = "syncreports"');
    expect(await text("src/nightlyreports/nightlyreports.schedule.ts")).toContain('name: "nightlyreports"');
  });

  test("what was made runs: the command answers, the migrations go up and down, jobs and schedules are registered", async () => {
    const report = await run("src/main.ts", "reports:sync-all", "--json");
    expect({ code: report.code, stdout: report.stdout }).toEqual({
      code: 0,
      stdout: '{"app":"app","env":"testing"}\n',
    });
    expect((await run("src/main.ts", "reports")).stdout).toBe("app in testing\n");

    const files = (await readdir(join(root, "migrations"))).filter((name) => name.endsWith(".up.sql"));
    const released = Math.max(...files.map((name) => Number.parseInt(name, 10)));
    const numbered = (step: number, name: string) => `${String(released + step).padStart(4, "0")}_${name}`;
    const up = await run("src/main.ts", "migrate");
    expect(up.stdout).toContain(`applied ${numbered(1, "add_reports")} (additive)`);
    expect(up.stdout).toContain(`applied ${numbered(2, "add_report_lines")} (additive)`);
    const down = await run("src/main.ts", "migrate:rollback", "--step", "2");
    expect(down.stdout).toContain(`rolled back ${numbered(1, "add_reports")}`);
    expect((await run("src/main.ts", "route:list")).code).toBe(0);
  }, 120_000);

  test("says what a new feature asks for elsewhere", async () => {
    const { stdout } = await make("job", "letters:send");
    expect(stdout).toMatch(
      /^add to src\/app\/modules\.ts, `modules`:\n {2}"letters-send-job": \(\{ log \}\) => \(\{ jobs: /m,
    );
    for (const binary of ["main", "admin"])
      expect(stdout).toContain(`add to src/${binary}.ts, \`modules\`:\n  "letters-send-job",\n`);
    expect(stdout).toMatch(/^add to src\/docs\/operate\/jobs\.md, its table:\n {2}\| `letters:send` \|/m);
    expect(stdout).toEndWith("then run: bun run format\n");
  });

  test("overwrites nothing", async () => {
    const before = await text("src/letters/send.job.ts");
    const { code, stderr } = await make("job", "letters:send");
    expect({ code, before: await text("src/letters/send.job.ts") }).toEqual({ code: 2, before });
    expect(stderr).toContain("src/letters/send.job.ts is there already");
    expect((await make("migration", "add_reports")).stderr).toContain("there is an add_reports already");
  });

  test.each([
    [["job", "../../etc:passwd"]],
    [["job", "../evil"]],
    [["job", "/tmp/evil"]],
    [["job", "a/b:c"]],
    [["job", "Reports:Sync"]],
    [["job", "reports:sync:now"]],
    [["job", "reports:"]],
    [["job", ""]],
    [["job", `reports:${"x".repeat(64)}`]],
    [["job", "reports:sync\n"]],
    [["job", 'reports:"+process.exit()+"']],
    [["migration", "add reports"]],
    [["migration", "../0001"]],
    [["migration", "reports:add"]],
    [["class", "reports:sync"]],
    [["job"]],
    [["job", "a:b", "c:d"]],
    [["job", "a:b", "--force"]],
  ])("refuses %j with exit code 2, the reason and the usage, and writes nothing", async (args) => {
    const before = await written();
    const { code, stdout, stderr } = await make(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: bun run make");
    expect(await written()).toEqual(before);
  });
});
