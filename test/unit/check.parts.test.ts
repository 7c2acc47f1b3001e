import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments, usage } from "../check/arguments.ts";
import { laneNames, sharesOf, wholeOf, type Share } from "../check/parts.ts";
import { isTestStep, planOf } from "../check/plan.ts";
import { named } from "../check/seconds.ts";
import { lanesOf } from "../lanes.ts";

const root = join(import.meta.dir, "..", "..");
const checks = [
  { full: false, wholeOnPostgres: false },
  { full: true, wholeOnPostgres: true },
].map((options) => ({ ...options, lanes: lanesOf(options) }));
const counts = [1, 2, 3, 4, 5, 8];

const stepsOf = ({ lanes, withSources }: Share, results?: string) =>
  planOf({ full: false, lanes, withSources, refusals: "refusals", results, chaosSeconds: "30" }).flat(2);
/** What a part runs: the files by the step that runs them, and all other steps by name. */
const workOf = (share: Share): readonly string[] =>
  stepsOf(share).flatMap((step) =>
    isTestStep(step) ? step.files.map((path) => `${step.name}: ${path}`) : [step.name],
  );
/** Steps that every part has which needs them. */
const repeated = ["install", "build", "python packages", "reasons of refusals"];
const onceOf = (share: Share): readonly string[] => workOf(share).filter((work) => !repeated.includes(work));

const importsPython = /from "\.[^"]*\/(?:python|fuzz)\.ts"/;
/** Needs packages of Python. */
const python = new Set(
  [...new Bun.Glob("test/**/*.test.ts").scanSync(root)].filter((path) =>
    importsPython.test(readFileSync(join(root, path), "utf8")),
  ),
);

describe("the parts of the check", () => {
  test.each(checks)("(full: $full) are together the whole check, and nothing is in two of them", ({ lanes }) => {
    expect<readonly string[]>(laneNames.toSorted()).toEqual(Object.keys(lanes).toSorted());
    const whole = onceOf(wholeOf(lanes)).toSorted();
    expect(new Set(whole).size).toBe(whole.length);
    for (const count of counts) expect(sharesOf(lanes, count).flatMap(onceOf).toSorted()).toEqual(whole);
  });

  test("the whole check alone looks at the last whether each promise of a standard has a test that passed", () => {
    const [first] = checks;
    if (first === undefined) throw new Error("there is no check");
    expect(stepsOf(wholeOf(first.lanes), "results").at(-1)).toMatchObject({ name: "tables about standards" });
    expect(stepsOf(wholeOf(first.lanes)).map(({ name }) => name)).not.toContain("tables about standards");
  });

  test.each(checks)(
    "(full: $full) the whole check has every test file, but for further frameworks, failovers, an hour of alerts and a million accounts",
    ({ full, lanes }) => {
      const isLeft = (path: string): boolean =>
        !full &&
        /^test\/(?:frameworks\/(?:expo\.app|next|nuxt|svelte|vue)|kits\/(?:django|flask)|host\/alerts|hosts\/patroni|release\/million)\.test\.ts$/.test(
          path,
        );
      const files = [...new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync(root)].filter((path) => !isLeft(path));
      expect(files.length).toBeGreaterThan(300);
      expect([...new Set(Object.values(lanes).flat())].toSorted()).toEqual(files.toSorted());
      expect(workOf(wholeOf(lanes))).toEqual(
        expect.arrayContaining([...repeated, "types", "lint", "format", "dead code"]),
      );
    },
  );

  test.each(checks)("(full: $full) take about as long as each other, and have what they need", ({ lanes }) => {
    for (const count of counts) {
      const shares = sharesOf(lanes, count);
      const seconds = shares.map((share) => share.seconds);
      const longestFile = 250;
      expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThan(longestFile);
      for (const share of shares) {
        const work = workOf(share);
        expect(work.slice(0, 1)).toEqual(["install"]);
        expect(work).toContain("build");
        const counts = [...share.lanes.inProcess, ...share.lanes.binary].some((path) => path.includes("/contract/"));
        expect(work.includes("reasons of refusals")).toBe(counts);
        expect(work.includes("python packages")).toBe(
          Object.values(share.lanes)
            .flat()
            .some((path) => python.has(path)),
        );
      }
    }
  });

  test("files whose seconds are known are there", () => {
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("the arguments of the check", () => {
  const whole = { full: false, postgres: false, part: undefined, list: undefined, results: undefined };

  test.each([
    [[], whole],
    [["--full"], { ...whole, full: true }],
    [["--full", "--postgres"], { ...whole, full: true, postgres: true }],
    [["--part", "2/3"], { ...whole, part: { number: 2, of: 3 } }],
    [["--part=8/8", "--full"], { ...whole, full: true, part: { number: 8, of: 8 } }],
    [["--results", "reports"], { ...whole, results: "reports" }],
    [["--part", "list"], { ...whole, list: 3 }],
    [["--part", "list/5"], { ...whole, list: 5 }],
    [["--help"], "help"],
  ] as const)("%j", (args, options) => {
    expect(readArguments(args)).toEqual(options);
  });

  test.each([
    [["--ful"]],
    [["-h"]],
    [["full"]],
    [["--full=yes"]],
    [["--part"]],
    [["--part", "3"]],
    [["--part", "0/3"]],
    [["--part", "4/3"]],
    [["--part", "1/9"]],
    [["--part", "1/3/5"]],
    [["--part", "list/0"]],
    [["--part", "01/3"]],
    [["--part", ""]],
  ])("%j are refused with the usage, and nothing runs", (args) => {
    expect(readArguments(args)).toBeUndefined();
  });

  test("what is not known ends with exit code 2 and the usage, and --help prints it", () => {
    const check = (...args: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, join(root, "test", "check.ts"), ...args]);
      return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    };
    expect(check("--everything")).toEqual({ exitCode: 2, stdout: "", stderr: `${usage}\n` });
    expect(check("--help")).toEqual({ exitCode: 0, stdout: `${usage}\n`, stderr: "" });
    const { exitCode, stdout } = check("--part", "list");
    expect(exitCode).toBe(0);
    for (const heading of ["--part 1/3: about ", "--part 2/3: about ", "--part 3/3: about ", "types, lint, format"])
      expect(stdout).toContain(heading);
  });
});
