import { rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { lanes } from "./lanes.ts";

// What a change must pass, in the order in which it fails fastest; the last line is the sum of the test runs. With --full
// every test that can speak to the binary also does, and every test of a process also runs from the sources.
const root = join(import.meta.dir, "..");
const bun = process.execPath;
const full = process.argv.includes("--full");
const tool = (name: string, ...args: string[]): string[] => [bun, "--bun", join("node_modules", ".bin", name), ...args];
const formatted = ["src", "test", "migrations", "build.ts", "package.json", "tsconfig.json"];
const minute = 60_000;
const files = lanes(full);
// A test that waits leaves its core to one that does not. Files share what they import, as they do in one process.
const sideBySide = [`--parallel=${Math.min(availableParallelism() + 1, 8)}`, "--no-isolate"];
// bunfig.toml has no setting for the limit of a test.
const tests = (paths: readonly string[], ...options: string[]): string[] => [
  ...[bun, "test", "--timeout", "60000", ...options],
  ...paths.map((path) => `./${path}`),
];

/** Where the tests in process, which run with inspects on, count what they were refused for. */
const refusals = join(tmpdir(), `gatehouse-refusals-${process.pid}`);

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Record<string, string>;
  readonly limitMs?: number;
  readonly tests?: boolean;
}

/** Stages one after the other; the steps of a stage run side by side. */
const stages: readonly (readonly Step[])[] = [
  [{ name: "install", command: [bun, "install", "--frozen-lockfile"], limitMs: 5 * minute }],
  [
    { name: "types", command: [bun, "check", "--no-script"] },
    {
      name: "lint",
      command: tool("oxlint", "--type-aware", "--deny-warnings", "src", "test", "migrations", "build.ts"),
    },
    { name: "format", command: tool("oxfmt", "--check", ...formatted) },
    { name: "dead code", command: tool("knip", "--no-progress") },
    { name: "build", command: [bun, "build.ts"] },
  ],
  [
    {
      name: "tests in process",
      command: tests(files.inProcess, ...sideBySide),
      env: { GATEHOUSE_TEST_REFUSALS: refusals },
      limitMs: 10 * minute,
      tests: true,
    },
  ],
  [{ name: "reasons of refusals", command: [bun, "test/refusals.process.ts", refusals] }],
  [
    {
      name: "contract tests against the binary",
      command: tests(files.binary, ...sideBySide),
      env: { GATEHOUSE_TEST_TARGET: "binary" },
      limitMs: 8 * minute,
      tests: true,
    },
  ],
  [
    {
      name: "tests that compare times, alone",
      command: tests(files.alone),
      env: { GATEHOUSE_TEST_TARGET: "binary" },
      tests: true,
    },
  ],
  [
    { name: "releases on a host", command: tests(files.releases), limitMs: 12 * minute, tests: true },
    {
      // Releases wait for most of their time and have to serve a thousand requests a second in it. What they leave of the
      // processor goes to the chaos, which takes all that it gets: a minute and a half of it, for it gets less than alone.
      name: "a minute and a half of chaos",
      command: ["nice", "-n", "19", ...tests(files.chaos)],
      env: { GATEHOUSE_TEST_TARGET: "binary", GATEHOUSE_CHAOS_SECONDS: process.env["GATEHOUSE_CHAOS_SECONDS"] ?? "90" },
      limitMs: 6 * minute,
      tests: true,
    },
  ],
];

const total = { pass: 0, fail: 0, skip: 0 };
const skipped: string[] = [];
for (const stage of stages) {
  const passed = await Promise.all(stage.map(runStep));
  if (passed.includes(false)) break;
}
rmSync(refusals, { force: true });
if (total.skip > 0) console.log(`${total.skip} skipped: ${skipped.join("; ")}`);
console.log(`${total.pass} passed, ${total.fail} failed`);
process.exit(total.fail === 0 ? 0 : 1);

/** Prints how it went: a line, and all that matters of the output when it failed. */
async function runStep(step: Step): Promise<boolean> {
  const started = performance.now();
  const { ok, output } = await run(step);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (step.tests === true) addCounts(output, ok);
  else if (!ok) total.fail += 1;
  console.log(`${ok ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`);
  if (ok && step.tests === true)
    for (const [figure] of output.matchAll(/^ {6}\S.* (?:requests\/s|kills) .*$/gm)) console.log(figure);
  // What passed would bury what did not.
  if (!ok) console.log(output.replaceAll(/^\((?:pass|skip)\) .*\n/gm, ""));
  return ok;
}

async function run({ command, env = {}, limitMs = 3 * minute }: Step): Promise<{ ok: boolean; output: string }> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const ended = child.signalCode === null ? "" : `\nended by ${child.signalCode}; the limit is ${limitMs / 1000} s\n`;
  return { ok: code === 0, output: `${stdout}${stderr}${ended}` };
}

/** A run that fails without a failed test (an error between tests, nothing found, a crash) counts as one failure. */
function addCounts(output: string, ok: boolean): void {
  const count = (word: string): number =>
    [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].reduce((sum, [, digits]) => sum + Number(digits), 0);
  total.pass += count("pass");
  total.skip += count("skip") + count("todo");
  skipped.push(...[...output.matchAll(/^\((?:skip|todo)\) (.*)$/gm)].map(([, name = ""]) => name));
  total.fail += Math.max(count("fail"), ok ? 0 : 1);
}
