import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { testFiles } from "./lanes.ts";
import { postgresMissing } from "./support/postgres.ts";

// What a change must pass, in the order in which it fails fastest; the last line is the sum of the test runs. With --full
// every test that can speak to the binary also does, every test of a process also runs from the sources, and more
// releases are made. With --postgres every test that asks for a service is run on a Postgres server too, and not only a choice of them.
const root = join(import.meta.dir, "..");
const bun = process.execPath;
const full = process.argv.includes("--full");
const wholeOnPostgres = process.argv.includes("--postgres");
const tool = (name: string, ...args: string[]): string[] => [bun, "--bun", join("node_modules", ".bin", name), ...args];
const linted = ["src", "test", "migrations", "build.ts"];
const formatted = [...linted, "package.json", "tsconfig.json"];
const minute = 60_000;
/** How long processes are killed at random. Half a minute is enough for each kind of process to be cut off in its work. */
const chaosSeconds = process.env["GATEHOUSE_CHAOS_SECONDS"] ?? (full ? "60" : "30");
const files = testFiles(full);
/** More files than these do not fail by chance at once. */
const mostFlaky = 2;
// bunfig.toml has no setting for the limit of a test.
const tests = (paths: readonly string[], ...options: string[]): string[] => [
  bun,
  "test",
  "--timeout",
  "120000",
  // What a run that is stopped has started ends with it.
  "--no-orphans",
  ...options,
  ...paths.map((path) => `./${path}`),
];

/** All temporary files of all steps, which go with the check even when a step is cut off. */
const workspace = mkdtempSync(join(tmpdir(), "gatehouse-check-"));
// The Postgres servers of the tests run as a user of their own, and keep their data in folders below it.
chmodSync(workspace, 0o711);
/** About how long each file takes, in milliseconds: of those that are left the slowest is begun next. */
const timings = join(workspace, "timings.json");
const quick = [...files.inProcess, ...files.binary, ...files.processes].map((path) => [path, 1_000]);
const durations = Object.fromEntries([...quick, ...files.slow.map((path) => [path, 20_000])]);
writeFileSync(timings, JSON.stringify({ version: 1, files: durations }));
// Files share what they import, as they do in one process.
const sideBySide = [`--parallel=${Math.min(availableParallelism() + 1, 8)}`, "--no-isolate", `--timings=${timings}`];
/** Where contract tests, which run with inspects on, count what they were refused for. */
const refusals = join(workspace, "refusals");

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Record<string, string>;
  readonly limitMs?: number;
  readonly tests?: boolean;
}

interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

const contractOnPostgres: Step = {
  name: "contract tests on Postgres",
  command: tests(
    wholeOnPostgres ? files.allOfPostgres : files.postgres,
    `--test-name-pattern=${files.namesOnPostgres}`,
    ...sideBySide,
  ),
  env: { GATEHOUSE_TEST_DATABASE: "postgres" },
  limitMs: (wholeOnPostgres ? 60 : 10) * minute,
  tests: true,
};
const chaosOnPostgres: Step = {
  name: "a minute of chaos on Postgres",
  command: tests(files.chaos),
  env: { GATEHOUSE_TEST_TARGET: "binary", GATEHOUSE_TEST_DATABASE: "postgres", GATEHOUSE_CHAOS_SECONDS: "60" },
  limitMs: 10 * minute,
  tests: true,
};

/** Stages one after the other; the lanes of a stage side by side; the steps of a lane one after the other. */
const stages: readonly (readonly (readonly Step[])[])[] = [
  [[{ name: "install", command: [bun, "install", "--frozen-lockfile"], limitMs: 5 * minute }]],
  [
    [{ name: "types", command: [bun, "check", "--build", "--no-script"] }],
    [{ name: "lint", command: tool("oxlint", "--type-aware", "--deny-warnings", ...linted) }],
    [{ name: "format", command: tool("oxfmt", "--check", ...formatted) }],
    [{ name: "dead code", command: tool("knip", "--no-progress") }],
    [{ name: "build", command: [bun, "build.ts"] }],
    [{ name: "python packages", command: [bun, "test/python.process.ts"], limitMs: 6 * minute }],
  ],
  // Releases have to serve a thousand requests a second meanwhile: nothing runs beside them.
  [
    [
      {
        name: "releases on a host",
        command: tests(files.releases),
        env: full ? { GATEHOUSE_RELEASES: "10" } : {},
        limitMs: 25 * minute,
        tests: true,
      },
      {
        name: "hosts",
        command: tests(files.hosts),
        env: { GATEHOUSE_TEST_TARGET: "binary" },
        limitMs: 8 * minute,
        tests: true,
      },
    ],
  ],
  [
    [
      {
        name: "tests in process",
        command: tests(files.inProcess, ...sideBySide),
        env: { GATEHOUSE_TEST_REFUSALS: refusals },
        limitMs: 20 * minute,
        tests: true,
      },
      {
        name: "contract tests against the binary",
        command: tests(files.binary, ...sideBySide),
        env: { GATEHOUSE_TEST_TARGET: "binary", GATEHOUSE_TEST_REFUSALS: refusals },
        limitMs: 20 * minute,
        tests: true,
      },
      { name: "reasons of refusals", command: [bun, "test/refusals.process.ts", refusals] },
      {
        name: "tests that start processes",
        command: tests(files.processes, ...sideBySide),
        env: { GATEHOUSE_TEST_TARGET: "binary" },
        limitMs: 20 * minute,
        tests: true,
      },
      ...(postgresMissing === undefined ? [contractOnPostgres] : []),
      {
        name: `${chaosSeconds} s of chaos`,
        command: tests(files.chaos),
        env: { GATEHOUSE_TEST_TARGET: "binary", GATEHOUSE_CHAOS_SECONDS: chaosSeconds },
        limitMs: 5 * minute,
        tests: true,
      },
      ...(postgresMissing === undefined && wholeOnPostgres ? [chaosOnPostgres] : []),
    ],
  ],
  [
    [
      {
        name: "tests that compare times, alone",
        command: tests(files.alone),
        env: { GATEHOUSE_TEST_TARGET: "binary" },
        tests: true,
      },
    ],
  ],
];

const total = { pass: 0, fail: 0, skip: 0 };
const skipped: string[] = [];
if (postgresMissing !== undefined) {
  total.skip += files.postgres.length;
  skipped.push(`${contractOnPostgres.name}: ${postgresMissing}`);
}
for (const lanes of stages) {
  const failed = new AbortController();
  await Promise.all(lanes.map((steps) => runLane(steps, failed)));
  if (failed.signal.aborted) break;
}
rmSync(workspace, { recursive: true, force: true });
if (total.skip > 0) console.log(`${total.skip} skipped: ${skipped.join("; ")}`);
// A developer's machine may lack a program. CI has to have them all: a test that is skipped there proves nothing anywhere.
if (total.skip > 0 && process.env["CI"] === "true") {
  console.log("FAILED: where CI=true, no test may be skipped");
  total.fail += 1;
}
console.log(`${total.pass} passed, ${total.fail} failed`);
process.exit(total.fail === 0 ? 0 : 1);

/** Up to the first step that fails, which stops the lanes beside it too. */
async function runLane(steps: readonly Step[], failed: AbortController): Promise<void> {
  for (const step of steps) {
    if (failed.signal.aborted || (await runStep(step, failed.signal))) continue;
    failed.abort();
  }
}

/** Prints how it went: a line, and all that matters of the output when it failed. */
async function runStep(step: Step, stop: AbortSignal): Promise<boolean> {
  const started = performance.now();
  const { ok, output } = await run(step, stop);
  const again = ok || step.tests !== true || stop.aborted ? undefined : await runAlone(step, output, stop);
  const isFlaky = again?.ok === true;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (!ok && stop.aborted) {
    console.log(`       ${step.name}: stopped (${seconds} s)`);
    return false;
  }
  if (step.tests === true) addCounts(output, ok, isFlaky);
  else if (!ok) total.fail += 1;
  console.log(`${ok ? "ok    " : isFlaky ? "FLAKY " : "FAILED"} ${step.name} (${seconds} s)`);
  if (ok && step.tests === true)
    for (const [figure] of output.matchAll(/^ {6}\S.* (?:requests\/s|kills) .*$/gm)) console.log(figure);
  if (!ok) console.log(withoutPassed(output));
  if (again?.ok === false) console.log(`It failed once more, alone:\n${withoutPassed(again.output)}`);
  return ok || isFlaky;
}

/**
 * Runs the files with failed tests once more, with nothing beside them. Where they pass then, the step counts as passed, and what
 * failed at first is shown under FLAKY all the same: the test that it names has to be mended.
 */
async function runAlone(step: Step, output: string, stop: AbortSignal): Promise<Outcome | undefined> {
  const paths = failedFiles(output).flatMap((file) => /^test\/\S+(?=:\n)/.exec(file)?.[0] ?? []);
  if (paths.length === 0 || paths.length > mostFlaky) return undefined;
  return run({ ...step, command: tests(paths) }, stop);
}

async function run({ command, env = {}, limitMs = 3 * minute }: Step, stop: AbortSignal): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", TMPDIR: workspace, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  const endChild = (): void => child.kill("SIGTERM");
  stop.addEventListener("abort", endChild);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  stop.removeEventListener("abort", endChild);
  const ended = child.signalCode === null ? "" : `\nended by ${child.signalCode}; the limit is ${limitMs / 1000} s\n`;
  return { ok: code === 0, output: `${stdout}${stderr}${ended}` };
}

/** What each file with a failed test has printed, without the tests that passed. */
function failedFiles(output: string): string[] {
  return output
    .replaceAll(/^\((?:pass|skip)\) .*\n/gm, "")
    .replaceAll(/^(?:oidc-provider WARNING|\(node:\d+\)|\(Use `).*\n/gm, "")
    .split(/^(?=test\/\S+:\n)/m)
    .filter((file) => file.includes("(fail) "));
}

/** What passed would bury what did not. Where tests failed, only the files that have failures are shown. */
function withoutPassed(output: string): string {
  const failed = failedFiles(output);
  return failed.length > 0 ? failed.join("") : output;
}

/** A run that fails without a failed test (an error between tests, nothing found, a crash) counts as one failure. */
function addCounts(output: string, ok: boolean, isFlaky: boolean): void {
  const count = (word: string): number =>
    [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].reduce((sum, [, digits]) => sum + Number(digits), 0);
  const failed = Math.max(count("fail"), ok ? 0 : 1);
  total.pass += count("pass") + (isFlaky ? failed : 0);
  total.fail += isFlaky ? 0 : failed;
  total.skip += count("skip") + count("todo");
  skipped.push(...[...output.matchAll(/^\((?:skip|todo)\) (.*)$/gm)].map(([, name = ""]) => name));
}
