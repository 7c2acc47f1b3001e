import { join } from "node:path";
import { namesOnPostgres, type Lanes } from "../lanes.ts";

// What the check does, and in which order. Nothing is run here.

const minute = 60_000;
const bun = process.execPath;
const tool = (name: string, ...args: string[]): string[] => [bun, "--bun", join("node_modules", ".bin", name), ...args];
const linted = ["src", "test", "migrations", "build.ts"];
const formatted = [...linted, "package.json", "tsconfig.json"];

interface AnyStep {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

export interface CommandStep extends AnyStep {
  readonly command: readonly string[];
}

export interface TestStep extends AnyStep {
  readonly files: readonly string[];
  /** Whether several files run at the same time. */
  readonly sideBySide: boolean;
  /** A pattern of the names of the tests that run. Default: all. */
  readonly names?: string;
}

export type Step = CommandStep | TestStep;

/** Stages one after the other; the lanes of a stage side by side; the steps of a lane one after the other. */
export type Plan = readonly (readonly (readonly Step[])[])[];

export interface PlanOptions {
  readonly full: boolean;
  /** What is run, of the whole check or a part of it. */
  readonly lanes: Lanes;
  /** Whether the sources are checked too. */
  readonly withSources: boolean;
  /** The file in which contract tests, which run with inspects on, count what they were refused for. */
  readonly refusals: string;
  /** The folder of the reports of all tests; undefined where only a part of them is run. */
  readonly results: string | undefined;
  /** How long processes are killed at random. */
  readonly chaosSeconds: string;
}

const overBinary = { GATEHOUSE_TEST_TARGET: "binary" };
const onPostgres = { GATEHOUSE_TEST_DATABASE: "postgres" };
/** The fewest refusals that contract tests count, a file: with fewer, a file on average, most of them were not recorded. */
const fewestRefusals = 8;
/** Imports `test/support/python.ts`. */
const pythonTest =
  /^test\/(?:openapi\/(?!page\.)|contract\/auth\/signing\.|idp\/authlib\.|kits\/(?:django|flask|starlette)\.)/;

export const isTestStep = (step: Step): step is TestStep => "files" in step;

const sourceChecks: readonly Step[] = [
  { name: "types", command: [bun, "check", "--build", "--no-script"] },
  { name: "lint", command: tool("oxlint", "--type-aware", "--deny-warnings", ...linted) },
  { name: "format", command: tool("oxfmt", "--check", ...formatted) },
  { name: "dead code", command: tool("knip", "--no-progress") },
];

/** What tests need besides. */
const preparations = (lanes: Lanes): readonly Step[] => [
  { name: "build", command: [bun, "build.ts"] },
  ...(Object.values(lanes)
    .flat()
    .some((path) => pythonTest.test(path))
    ? [{ name: "python packages", command: [bun, "test/python.process.ts"], limitMs: 6 * minute }]
    : []),
];

/** Runs the tests of each lane. */
function testSteps({ full, lanes, refusals, chaosSeconds }: PlanOptions) {
  const counted = { GATEHOUSE_TEST_REFUSALS: refusals };
  return {
    releases: {
      name: "releases on a host",
      files: lanes.releases,
      sideBySide: false,
      env: full ? { GATEHOUSE_RELEASES: "10", GATEHOUSE_RELEASE_TOPOLOGIES: "all" } : {},
      limitMs: (full ? 50 : 25) * minute,
    },
    inProcess: {
      name: "tests in process",
      files: lanes.inProcess,
      sideBySide: true,
      env: counted,
      limitMs: (full ? 40 : 28) * minute,
    },
    hosts: {
      name: "hosts",
      files: lanes.hosts,
      sideBySide: false,
      env: overBinary,
      limitMs: (full ? 100 : 12) * minute,
    },
    chaos: {
      name: `${chaosSeconds} s of chaos`,
      files: lanes.chaos,
      sideBySide: false,
      env: { ...overBinary, GATEHOUSE_CHAOS_SECONDS: chaosSeconds },
      limitMs: 5 * minute,
    },
    processes: {
      name: "tests that start processes",
      files: lanes.processes,
      sideBySide: true,
      env: { ...overBinary, ...(full && { GATEHOUSE_KITS: "all" }) },
      limitMs: 20 * minute,
    },
    binary: {
      name: "contract tests against the binary",
      files: lanes.binary,
      sideBySide: true,
      env: { ...overBinary, ...counted },
      limitMs: 20 * minute,
    },
    postgres: {
      name: "contract tests on Postgres",
      files: lanes.postgres,
      sideBySide: true,
      names: namesOnPostgres,
      env: onPostgres,
      limitMs: 60 * minute,
    },
    chaosOnPostgres: {
      name: "a minute of chaos on Postgres",
      files: lanes.chaosOnPostgres,
      sideBySide: false,
      env: { ...overBinary, ...onPostgres, GATEHOUSE_CHAOS_SECONDS: "60" },
      limitMs: 10 * minute,
    },
    alone: { name: "tests that compare times, alone", files: lanes.alone, sideBySide: false, env: overBinary },
  } satisfies Readonly<Record<keyof Lanes, TestStep>>;
}

/** What contract tests have counted together, where there are any. */
function refusalSteps({ lanes, refusals }: PlanOptions): readonly Step[] {
  const counting = [...lanes.inProcess, ...lanes.binary].filter((path) => path.startsWith("test/contract/")).length;
  if (counting === 0) return [];
  const fewest = String(counting * fewestRefusals);
  return [{ name: "reasons of refusals", command: [bun, "test/refusals.process.ts", refusals, fewest] }];
}

/** Whether each promise of a table about a standard has a test that passed. */
const standardsSteps = ({ results }: PlanOptions): readonly Step[] =>
  results === undefined
    ? []
    : [{ name: "tables about standards", command: [bun, "test/standards/passed.process.ts", results] }];

export function planOf(options: PlanOptions): Plan {
  const steps = testSteps(options);
  const { releases, inProcess, hosts, chaos, processes, binary, postgres, chaosOnPostgres, alone } = steps;
  const plan: Plan = [
    [[{ name: "install", command: [bun, "install", "--frozen-lockfile"], limitMs: 5 * minute }]],
    [options.withSources ? sourceChecks : [], preparations(options.lanes)],
    // Releases have to serve a thousand requests a second meanwhile: nothing runs beside them.
    [[releases]],
    // Hosts and chaos mostly wait, so they run beside tests that compute. The lanes take about as long as each other.
    [[inProcess], [hosts, chaos, processes, binary, postgres, chaosOnPostgres]],
    [refusalSteps(options)],
    [[alone]],
    [standardsSteps(options)],
  ];
  const has = (step: Step): boolean => !isTestStep(step) || step.files.length > 0;
  return plan.map((lanes) => lanes.map((lane) => lane.filter(has)));
}
