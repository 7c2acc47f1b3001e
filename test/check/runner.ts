import { join } from "node:path";
import { isTestStep, type Plan, type Step, type TestStep } from "./plan.ts";

const root = join(import.meta.dir, "..", "..");
const bun = process.execPath;
const usualLimitMs = 3 * 60_000;
/** More files than these do not fail by chance at once. */
const mostFlaky = 2;

interface RunnerOptions {
  /** The folder of all temporary files of all steps. */
  readonly workspace: string;
  /** The folder that gets a report of each run of tests. */
  readonly results: string;
  /** The options of steps whose files run at the same time. */
  readonly sideBySide: readonly string[];
  readonly say: (line: string) => void;
}

interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/** A step that failed, and the few files in which it did. They run once more when nothing else does. */
interface Failed {
  readonly step: TestStep;
  readonly output: string;
  readonly seconds: string;
  readonly files: readonly string[];
}

export interface Sum {
  readonly passed: number;
  readonly failed: number;
  /** The names of the tests that were skipped. */
  readonly skipped: readonly string[];
}

/** Runs a plan up to the first stage that fails. */
export async function runPlan(plan: Plan, { workspace, results, sideBySide, say }: RunnerOptions): Promise<Sum> {
  let reports = 0;
  const total = { pass: 0, fail: 0, skipped: new Array<string>() };
  for (const lanes of plan) {
    const stop = new AbortController();
    const doubtful: Failed[] = [];
    await Promise.all(lanes.map((steps) => runLane(steps, stop, doubtful)));
    for (const failed of doubtful) await runAlone(failed, stop);
    if (stop.signal.aborted) break;
  }
  return { passed: total.pass, failed: total.fail, skipped: total.skipped };

  /** Runs up to the first step that fails for good, which stops the lanes beside it too. */
  async function runLane(steps: readonly Step[], stop: AbortController, doubtful: Failed[]): Promise<void> {
    for (const step of steps) {
      if (stop.signal.aborted) return;
      const failed = await runStep(step, stop.signal);
      if (failed === "failed") stop.abort();
      else if (failed !== undefined) doubtful.push(failed);
    }
  }

  /** Prints how it went: a line, and all that matters of the output when it failed. Returns undefined if it passed or was stopped. */
  async function runStep(step: Step, stop: AbortSignal): Promise<Failed | "failed" | undefined> {
    const started = performance.now();
    const { ok, output } = await run(step, commandOf(step), stop);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    if (!ok && stop.aborted) {
      say(`       ${step.name}: stopped (${seconds} s)`);
      return undefined;
    }
    const files = isTestStep(step) && !ok ? pathsOf(output) : [];
    if (isTestStep(step) && files.length > 0 && files.length <= mostFlaky) return { step, output, seconds, files };
    if (isTestStep(step)) addCounts(output, ok, false);
    else if (!ok) total.fail += 1;
    say(`${ok ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`);
    if (ok && isTestStep(step))
      for (const [figure] of output.matchAll(/^ {6}\S.* (?:requests\/s|kills) .*$/gm)) say(figure);
    if (!ok) say(withoutPassed(output));
    return ok ? undefined : "failed";
  }

  /**
   * Runs the files with failed tests once more, with nothing beside them. Where they pass then, the step counts as passed, and what
   * failed at first is shown under FLAKY all the same: the test that it names has to be mended.
   */
  async function runAlone({ step, output, seconds, files }: Failed, stop: AbortController): Promise<void> {
    const again = stop.signal.aborted ? undefined : await run(step, testCommand(files, ...report()), stop.signal);
    const isFlaky = again?.ok === true;
    addCounts(output, false, isFlaky);
    say(`${isFlaky ? "FLAKY " : "FAILED"} ${step.name} (${seconds} s)`);
    say(withoutPassed(output));
    if (isFlaky) return;
    if (again !== undefined) say(`It failed once more, alone:\n${withoutPassed(again.output)}`);
    stop.abort();
  }

  function commandOf(step: Step): readonly string[] {
    if (!isTestStep(step)) return step.command;
    const names = step.names === undefined ? [] : [`--test-name-pattern=${step.names}`];
    return testCommand(step.files, ...report(), ...names, ...(step.sideBySide ? sideBySide : []));
  }

  /** Returns the options by which a run of tests leaves a report of its own. */
  function report(): readonly string[] {
    reports += 1;
    return ["--reporter=junit", `--reporter-outfile=${join(results, `${reports}.xml`)}`];
  }

  async function run(step: Step, command: readonly string[], stop: AbortSignal): Promise<Outcome> {
    const { env = {}, limitMs = usualLimitMs } = step;
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

  /** A run that fails without a failed test (an error between tests, nothing found, a crash) counts as one failure. */
  function addCounts(output: string, ok: boolean, isFlaky: boolean): void {
    const count = (word: string): number =>
      [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].reduce((sum, [, digits]) => sum + Number(digits), 0);
    const failed = Math.max(count("fail"), ok ? 0 : 1);
    total.pass += count("pass") + (isFlaky ? failed : 0);
    total.fail += isFlaky ? 0 : failed;
    const names = [...output.matchAll(/^\((?:skip|todo)\) (.*)$/gm)].map(([, name = ""]) => name);
    const unnamed = Math.max(0, count("skip") + count("todo") - names.length);
    total.skipped.push(...names, ...Array.from({ length: unnamed }, () => "a test"));
  }
}

// bunfig.toml has no setting for the limit of a test.
const testCommand = (paths: readonly string[], ...options: readonly string[]): readonly string[] => [
  bun,
  "test",
  "--timeout",
  "120000",
  // What a run that is stopped has started ends with it.
  "--no-orphans",
  ...options,
  ...paths.map((path) => `./${path}`),
];

/** What each file with a failed test has printed, without the tests that passed. */
function failedFiles(output: string): string[] {
  return output
    .replaceAll(/^\((?:pass|skip)\) .*\n/gm, "")
    .replaceAll(/^(?:oidc-provider WARNING|\(node:\d+\)|\(Use `).*\n/gm, "")
    .split(/^(?=test\/\S+:\n)/m)
    .filter((file) => file.includes("(fail) "));
}

const pathsOf = (output: string): string[] =>
  failedFiles(output).flatMap((file) => /^test\/\S+(?=:\n)/.exec(file)?.[0] ?? []);

/** What passed would bury what did not. Where tests failed, only the files that have failures are shown. */
function withoutPassed(output: string): string {
  const failed = failedFiles(output);
  return failed.length > 0 ? failed.join("") : output;
}
