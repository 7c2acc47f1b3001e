import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { judgeFile } from "../../config/index.ts";
import { second } from "../../core/clock.ts";
import {
  createReleases,
  createSystem,
  listReleases,
  ownBinary,
  placesOf,
  settingsPath,
  usualPace,
  usualSmoke,
  type Audience,
  type ListedRelease,
} from "../../host/index.ts";
import { harmlessLines, moment, table, wrapped, type Column } from "../terminal/columns.ts";
import { shellLine } from "./host/shell.line.ts";
import { command, exitCode, UsageError, type CommandContext, type ExitCode, type Terminal } from "../command.ts";
import { jsonLine, jsonLines, jsonObject, jsonOf } from "../terminal/json.ts";

const pace = {
  settle: {
    type: "string",
    default: String(usualPace.settleMs / second),
    valueHint: "SECONDS",
    description: "Rest after each instance, longer than a proxy takes to notice that it is back",
  },
  "ready-within": {
    type: "string",
    default: String(usualPace.readyWithinMs / second),
    valueHint: "SECONDS",
    description: "How long an instance may take to become ready",
  },
  smoke: {
    type: "string",
    valueHint: "'PATH STATUS'",
    description:
      "What an instance must answer before it counts, such as '/-/health 200'. During maintenance its readiness decides alone",
  },
  json: jsonObject,
} as const;

/** Puts a binary into service. Only a compiled binary can be a release: the sources have no single file to copy. */
export const activate = command({
  args: {
    binary: {
      type: "positional",
      required: false,
      description: "The binary of the release, with its checksum beside it (default: the one that runs this command)",
    },
    "create-database": {
      type: "boolean",
      description: "Make the database if there is none, for the first release; otherwise a missing one is an error",
    },
    ...pace,
  },
  run(context, args) {
    const source =
      args.binary === undefined ? own(context) : { bytes: resolve(args.binary), path: resolve(args.binary) };
    const options = { ...readPace(context, args), source, createDatabase: args["create-database"] === true };
    return change(context, args, (releases) => releases.activate(options));
  },
});

export const rollback = command({
  args: pace,
  run: (context, args) => change(context, args, (releases) => releases.rollback(readPace(context, args))),
});

export const restart = command({
  args: pace,
  run: (context, args) => change(context, args, (releases) => releases.restart(readPace(context, args))),
});

export const list = command({
  args: { json: jsonLines },
  async run({ binary, terminal }, args) {
    const releases = await listReleases(placesOf(binary));
    const rows = releases.map(({ release, isCurrent, isPrevious, isUnfinished, bytes, stagedAt }) => ({
      release,
      current: isCurrent,
      previous: isPrevious,
      unfinished: isUnfinished,
      bytes,
      staged_at: new Date(stagedAt).toISOString(),
    }));
    if (args.json === true) terminal.out(jsonOf(rows));
    else if (releases.length === 0) terminal.out("there is no release on this host");
    else terminal.out(table(releases, columns, terminal.columns));
    return exitCode.done;
  },
});

const columns: readonly Column<ListedRelease>[] = [
  { head: "RELEASE", of: ({ release }) => release, least: 16 },
  { head: "STATE", of: stateOf },
  { head: "MIB", of: ({ bytes }) => String(Math.round(bytes / 1024 / 1024)) },
  { head: "STAGED (UTC)", of: ({ stagedAt }) => moment(stagedAt) },
];

function stateOf({ isCurrent, isPrevious, isUnfinished }: ListedRelease): string {
  const link = isCurrent ? "current" : isPrevious ? "previous" : "";
  return isUnfinished ? `${link || "staged"}, cut off` : link;
}

function own({ build }: CommandContext) {
  if (build.revision === "source")
    throw new UsageError("BINARY is missing: this command runs from the sources, and a release is a compiled binary");
  return ownBinary;
}

interface PaceArgs {
  readonly settle: string;
  readonly "ready-within": string;
  readonly smoke?: string | undefined;
}

function readPace({ binary }: CommandContext, args: PaceArgs) {
  if (!/^\d{1,3}(?:\.\d{1,3})?$/.test(args.settle)) throw new UsageError("--settle takes seconds, such as 2 or 0.5");
  if (!/^\d{1,4}$/.test(args["ready-within"])) throw new UsageError("--ready-within takes whole seconds");
  const [, path, status] = /^(\/\S*) (\d{3})$/.exec(args.smoke ?? "") ?? [];
  if (args.smoke !== undefined && path === undefined)
    throw new UsageError("--smoke takes a path and a status, such as '/-/health 200'");
  return {
    settleMs: Number(args.settle) * second,
    readyWithinMs: Number(args["ready-within"]) * second,
    smoke: path === undefined ? usualSmoke(binary) : { path, status: Number(status) },
  };
}

type Act = (releases: ReturnType<typeof createReleases>) => Promise<boolean>;

/** With `--json`, prints the steps on standard error, and the final state of the host as one object. */
async function change(context: CommandContext, args: { readonly json?: boolean | undefined }, act: Act) {
  if (args.json !== true) return withReleases(context, act);
  const { binary, terminal } = context;
  const code = await withReleases({ ...context, terminal: { ...terminal, out: terminal.err } }, act);
  const releases = await listReleases(placesOf(binary));
  const named = (is: "isCurrent" | "isPrevious" | "isUnfinished") =>
    releases.find((release) => release[is])?.release ?? null;
  terminal.out(
    jsonLine({
      done: code === exitCode.done,
      current: named("isCurrent"),
      previous: named("isPrevious"),
      unfinished: named("isUnfinished"),
    }),
  );
  return code;
}

/** Says which lines of the settings on this host set nothing, such as one whose name is misspelt. */
async function deadLines(): Promise<readonly string[]> {
  const text = await readFile(settingsPath, "utf8").catch(() => "");
  return judgeFile(text).findings.flatMap(({ line, level, says }) =>
    level === "wrong" ? [`line ${line} of ${settingsPath}: ${says}`] : [],
  );
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs an act of releases. A signal only leaves a mark, which is checked between steps, and further signals add nothing: in the middle of a
 * step nothing could be put back reliably.
 */
export async function withReleases(context: CommandContext, act: Act): Promise<ExitCode> {
  const { binary: app, terminal } = context;
  const system = createSystem({ path: terminal.env["PATH"], line: shellLine(context) });
  const journal = system.openJournal(`${app}-release`);
  let isInterrupted = false;
  const onSignal = (): void => {
    isInterrupted = true;
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const audience: Audience = {
      say: (line) => tell(terminal, "out", journal, line),
      complain: (line) => tell(terminal, "err", journal, line),
      isInterrupted: () => isInterrupted,
    };
    return (await act(createReleases({ app, system, audience, deadLines }))) ? exitCode.done : exitCode.failed;
  } finally {
    await journal.end();
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/**
 * Prints a line and writes it to the journal. Control characters are escaped: units and binaries printed the line, and must not control the
 * terminal.
 */
function tell(terminal: Terminal, stream: "out" | "err", journal: { write(line: string): void }, said: string): void {
  const line = harmlessLines(said);
  const time = `${new Date().toTimeString().slice(0, 8)}  `;
  const parts = terminal.columns === undefined ? [line] : wrapped(line, terminal.columns - time.length);
  terminal[stream](parts.map((part, at) => (at === 0 ? time : " ".repeat(time.length)) + part).join("\n"));
  journal.write(line);
}
