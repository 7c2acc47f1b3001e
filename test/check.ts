import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readArguments, usage, type CheckOptions } from "./check/arguments.ts";
import { laneNames, sharesOf, wholeOf, type Share } from "./check/parts.ts";
import { planOf } from "./check/plan.ts";
import { runPlan } from "./check/runner.ts";
import { processorSecondsOf } from "./check/seconds.ts";
import { lanesOf } from "./lanes.ts";
import { postgresMissing } from "./support/postgres.ts";

// What a change must pass, in the order in which it fails fastest; the last line is the sum of the test runs. With --full
// every test that can speak to the binary also does, every test of a process also runs from the sources, and more
// releases are made. With --postgres every test that asks for a service is run on a Postgres server too, and not only a choice of them.
const options = readArguments(process.argv.slice(2));
if (options === "help") {
  console.log(usage);
  process.exit(0);
}
if (options === undefined) {
  console.error(usage);
  process.exit(2);
}
const lanes = lanesOf({ full: options.full, wholeOnPostgres: options.postgres });
if (options.list === undefined) process.exit(await check(options, shareOf(options)));
else for (const [index, share] of sharesOf(lanes, options.list).entries()) list(share, `${index + 1}/${options.list}`);

/** The part that is asked for, or the whole check. */
function shareOf({ part }: CheckOptions): Share {
  return (part && sharesOf(lanes, part.of)[part.number - 1]) ?? wholeOf(lanes);
}

function list({ lanes: shared, withSources, seconds }: Share, name: string): void {
  console.log(`--part ${name}: about ${Math.round(seconds)} s on two cores, and the build`);
  if (withSources) console.log("  types, lint, format, dead code");
  for (const lane of laneNames) for (const path of shared[lane]) console.log(`  ${lane} ${path}`);
}

/** Resolves to the exit code. */
async function check({ full, part, results }: CheckOptions, { lanes: wanted, withSources }: Share): Promise<number> {
  // Temporary files go with the check even when a step is cut off.
  const workspace = mkdtempSync(join(tmpdir(), "gatehouse-check-"));
  // The Postgres servers of the tests run as a user of their own, and keep their data in folders below it.
  chmodSync(workspace, 0o711);
  const timings = join(workspace, "timings.json");
  // What takes longest is begun first, or it would end alone.
  const paths = Object.values(wanted).flat();
  const durations = Object.fromEntries(paths.map((path) => [path, processorSecondsOf(path) * 1_000]));
  writeFileSync(timings, JSON.stringify({ version: 1, files: durations }));
  const reports = resolve(results ?? join(workspace, "results"));
  mkdirSync(reports, { recursive: true });
  if (readdirSync(reports).length > 0)
    throw new Error("--results takes an empty folder: reports of another run would count");
  const unable = postgresMissing === undefined ? [] : [...wanted.postgres, ...wanted.chaosOnPostgres];
  const plan = planOf({
    full,
    lanes: postgresMissing === undefined ? wanted : { ...wanted, postgres: [], chaosOnPostgres: [] },
    withSources,
    refusals: join(workspace, "refusals"),
    results: part === undefined ? reports : undefined,
    chaosSeconds: process.env["GATEHOUSE_CHAOS_SECONDS"] ?? (full ? "60" : "30"),
  });
  // Two lanes run at a time. Files share what they import, as they do in one process.
  const workers = Math.min(availableParallelism(), 8);
  const sideBySide = [`--parallel=${workers}`, "--no-isolate", `--timings=${timings}`];
  const { passed, failed, skipped } = await runPlan(plan, {
    workspace,
    results: reports,
    sideBySide,
    say: console.log,
  });
  rmSync(workspace, { recursive: true, force: true });
  const left = [...skipped, ...unable.map((path) => `${path} on Postgres: ${postgresMissing}`)];
  if (left.length > 0) console.log(`${left.length} skipped: ${left.join("; ")}`);
  // A developer's machine may lack a program. CI has to have them all: a test that is skipped there proves nothing anywhere.
  const lacks = left.length > 0 && process.env["CI"] === "true";
  if (lacks) console.log("FAILED: where CI=true, no test may be skipped");
  const faults = failed + (lacks ? 1 : 0);
  console.log(`${passed} passed, ${faults} failed`);
  return faults === 0 ? 0 : 1;
}
