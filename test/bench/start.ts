import { median, mib, ms, percentile, times, type Measure, type Part } from "./findings.ts";
import { binary, migrate, register, startGatehouse } from "./gatehouse.ts";
import { get, openConnection, post } from "./http.connection.ts";
import { interleave, medianOf, medianRatio } from "./load.ts";
import type { Server, Workspace } from "./workspace.ts";

const rounds = 15;
/** How many starts are left alone, to see what memory they keep. */
const idleRounds = 3;
const idleMs = 10_000;
/** A build of another revision, to compare with. */
const baseline = Bun.env["GATEHOUSE_BASELINE"];

interface Start {
  readonly readyMs: number;
  /** Processor time until readiness, of all threads. */
  readonly processorMs: number;
  readonly helpMs: number;
  /** Memory that no file backs. NaN if the start was not left idle. */
  readonly idleBytes: number;
  readonly residentBytes: number;
  readonly first: Firsts;
}

/** The duration of the first request of each kind after a start. */
interface Firsts {
  readonly login: number;
  readonly page: number;
  readonly reference: number;
}

const env = { API_DOCS_ENABLED: "true" };
const loginOfAda = { login: "ada", password: "a garden for ada" };

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function firstRequests({ port }: Server): Promise<Firsts> {
  const connection = await openConnection(port);
  const send = (request: string): Promise<number> =>
    timed(async () => {
      const { status } = await connection.send(request);
      if (status !== 200) throw new Error(`${request.split("\r\n")[0]} was answered with ${status}`);
    });
  const page = await send(get("/login"));
  const login = await send(post("/api/v1/auth/login", loginOfAda));
  connection.close();
  const reference = await timed(async () => (await fetch(`http://127.0.0.1:${port}/openapi/json`)).json());
  return { login, page, reference };
}

/** Makes one start of a build, and one `--help`. */
async function startOnce(workspace: Workspace, program: string, path: string, waits: boolean): Promise<Start> {
  let server: Server | undefined;
  const readyMs = await timed(async () => {
    server = await startGatehouse(workspace, "gatehouse-start", path, { program, env });
  });
  if (server === undefined) throw new Error("no server was started");
  const processorMs = (await server.cpuSeconds()) * 1_000;
  if (waits) await Bun.sleep(idleMs);
  const { ownBytes, residentBytes } = await server.memory();
  const first = await firstRequests(server);
  await server.stop();
  const helpMs = await timed(() => workspace.complete("help", [program, "--help"]));
  return { readyMs, processorMs, helpMs, idleBytes: waits ? ownBytes : Number.NaN, residentBytes, first };
}

/** Measures how soon the bare command is ready, what it uses when idle, and how long `--help` takes. */
export const start: Part = {
  name: "start",
  limitSeconds: 240,
  async run({ workspace }) {
    const path = workspace.path("empty.db");
    await migrate(workspace, path);
    const server = await startGatehouse(workspace, "gatehouse-start", path);
    await register(server, "ada");
    await server.stop();
    const programs = { now: binary, before: baseline ?? binary } as const;
    const names = baseline === undefined ? (["now"] as const) : (["before", "now"] as const);
    const once = (waits: boolean) => (name: "now" | "before") => startOnce(workspace, programs[name], path, waits);
    const starts = await interleave(rounds, names, once(false));
    const idle = await interleave(idleRounds, names, once(true));
    return {
      measures: [...goals(starts("now"), idle("now")), ...(baseline === undefined ? [] : comparison(starts, idle))],
      raw: names.map((name) => figures(name, starts(name), idle(name))),
    };
  },
};

function goals(starts: readonly Start[], idle: readonly Start[]): readonly Measure[] {
  const readyMs = medianOf(starts, (each) => each.readyMs);
  const idleBytes = medianOf(idle, (each) => each.idleBytes);
  const residentBytes = medianOf(idle, (each) => each.residentBytes);
  const helpMs = medianOf(starts, (each) => each.helpMs);
  const first = (what: keyof Firsts): string => ms(medianOf(starts, (each) => each.first[what]));
  return [
    {
      measure: "start to first ready answer, empty database",
      goal: "≤ 60 ms",
      measured: ms(readyMs),
      met: readyMs <= 60,
    },
    {
      measure: "anonymous memory, idle for ten seconds",
      goal: "≤ 20 MB",
      measured: mib(idleBytes),
      met: idleBytes <= 20 * 2 ** 20,
    },
    {
      measure: "resident memory, idle",
      goal: "≤ 110 MB",
      measured: mib(residentBytes),
      met: residentBytes <= 110 * 2 ** 20,
    },
    { measure: "`--help`", goal: "≤ 30 ms", measured: ms(helpMs), met: helpMs <= 30 },
    {
      measure: "the first account page, login and API reference after a start",
      goal: "–",
      measured: [first("page"), first("login"), first("reference")].join(", "),
    },
  ];
}

/** Returns the mean, since the system counts processor time in steps of 10 ms. */
const meanProcessorMs = (starts: readonly Start[]): number =>
  starts.reduce((sum, { processorMs }) => sum + processorMs, 0) / starts.length;

type By = (name: "now" | "before") => readonly Start[];

function comparison(starts: By, idle: By): readonly Measure[] {
  const ratio = (of: By, figure: (start: Start) => number): string =>
    times(medianRatio(of("now"), of("before"), figure));
  return [
    {
      measure: "start, its processor time, memory and `--help`, over those of another build (`GATEHOUSE_BASELINE`)",
      goal: "–",
      measured: [
        ratio(starts, ({ readyMs }) => readyMs),
        times(meanProcessorMs(starts("now")) / meanProcessorMs(starts("before"))),
        ratio(idle, ({ idleBytes }) => idleBytes),
        ratio(starts, ({ helpMs }) => helpMs),
      ].join(", "),
    },
  ];
}

function figures(name: string, starts: readonly Start[], idle: readonly Start[]): string {
  const range = (of: readonly Start[], figure: (start: Start) => number, words: (value: number) => string): string => {
    const values = of.map(figure);
    return `${words(percentile(values, 0))} to ${words(percentile(values, 1))}, median ${words(median(values))}`;
  };
  return [
    `start, ${name}: ready ${range(starts, ({ readyMs }) => readyMs, ms)}`,
    `processor ${ms(meanProcessorMs(starts))}`,
    `help ${range(starts, ({ helpMs }) => helpMs, ms)}`,
    `anonymous ${range(idle, ({ idleBytes }) => idleBytes, mib)}`,
    `resident ${range(idle, ({ residentBytes }) => residentBytes, mib)}`,
    `first page ${range(starts, ({ first }) => first.page, ms)}`,
    `first login ${range(starts, ({ first }) => first.login, ms)}`,
    `first reference ${range(starts, ({ first }) => first.reference, ms)}`,
  ].join("; ");
}
