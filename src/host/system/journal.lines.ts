import { Type } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";
import type { HostApp } from "../files/host.app.ts";
import { HostFailure } from "./host.failure.ts";
import { environmentOf } from "./programs.ts";
import { readableLine } from "./readable.line.ts";
import { asRoot, type Caller } from "./root.ts";

interface Which {
  /** Patterns of units. */
  readonly units: readonly string[];
  readonly last: number;
  /** A time as journalctl reads it. */
  readonly since: string | undefined;
  readonly follows: boolean;
}

export interface JournalLine {
  /** When it was written, in UTC. */
  readonly at: string;
  readonly unit: string;
  readonly line: string;
  readonly readable: string;
  /** Whether it tells of a warning or an error. */
  readonly isTrouble: boolean;
}

/** An entry as journalctl writes it. A message that is no text is a list of bytes. */
const Entry = Type.Object({
  __REALTIME_TIMESTAMP: Type.String(),
  PRIORITY: Type.Optional(Type.String()),
  MESSAGE: Type.Union([Type.String(), Type.Array(Type.Number()), Type.Null()]),
  _SYSTEMD_UNIT: Type.Optional(Type.String()),
  UNIT: Type.Optional(Type.String()),
});
/** A bound for one entry: a longer one is cut. */
const mostEntry = 1024 ** 2;

/** Returns the patterns of an app's units; those of the one app are no patterns of the other. */
export function logUnits(app: HostApp, role: string | undefined): readonly string[] {
  const all = {
    api: ["api@*", "run"],
    worker: ["worker"],
    scheduler: ["scheduler"],
    migrate: ["migrate@*"],
    command: ["command-*"],
  };
  return Object.entries(all)
    .filter(([name]) => role === undefined || role === name)
    .flatMap(([, units]) => units.map((unit) => `${app}-${unit}.service`));
}

/** Reads lines of units from the journal, and goes on with those that come where it follows, until the signal. */
export const followJournal = (
  { path, ...caller }: Caller & { readonly path: string | undefined },
  { units, last, since, follows }: Which,
) =>
  async function* lines(signal: AbortSignal): AsyncGenerator<JournalLine> {
    const child = Bun.spawn(
      [
        "journalctl",
        "--quiet",
        "--no-pager",
        "--output=json",
        `--lines=${last}`,
        ...(since === undefined ? [] : [`--since=${since}`]),
        ...(follows ? ["--follow"] : []),
        ...units.map((unit) => `--unit=${unit}`),
      ],
      { env: environmentOf(path), stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    const end = (): void => child.kill();
    signal.addEventListener("abort", end, { once: true });
    try {
      let rest = "";
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = (parts.pop() ?? "").slice(0, mostEntry);
        for (const part of parts) {
          const line = lineOf(part);
          if (line !== undefined) yield line;
        }
      }
      const complaint = await child.stderr.text();
      const code = await child.exited;
      signal.throwIfAborted();
      if (code !== 0 && complaint.includes("Failed to parse timestamp"))
        throw new HostFailure(
          `${JSON.stringify(since)} is no time that journalctl knows`,
          "give one such as -1h, yesterday, 09:00 or '2026-11-28 09:00'",
        );
      if (code !== 0) throw unread(complaint.trim() || `code ${code}`, caller);
    } finally {
      signal.removeEventListener("abort", end);
      child.kill();
    }
  };

function unread(complaint: string, caller: Caller): HostFailure {
  const reason = `the journal can't be read: ${complaint}`;
  if (caller.isRoot()) return new HostFailure(reason, "journalctl --verify says whether its files are whole");
  if (!/permission/i.test(complaint)) return new HostFailure(reason, asRoot(caller));
  return new HostFailure(
    "this login may not read the journal of the services",
    `${asRoot(caller)}; members of the group systemd-journal may read it, too`,
  );
}

function lineOf(text: string): JournalLine | undefined {
  const entry = jsonAs(Entry, text);
  if (entry === undefined || entry.MESSAGE === null) return undefined;
  const { MESSAGE: message } = entry;
  const line = typeof message === "string" ? message : new TextDecoder().decode(Uint8Array.from(message));
  const at = new Date(Number(entry.__REALTIME_TIMESTAMP) / 1_000).toISOString().slice(0, 19).replace("T", " ");
  const unit = (entry.UNIT ?? entry._SYSTEMD_UNIT ?? "").replace(/\.service$/, "");
  const isOfSystemd = entry.UNIT !== undefined;
  const isTrouble = isOfSystemd ? Number(entry.PRIORITY ?? notice) < notice : !harmlessLine.test(line);
  return { at, unit, line, readable: readableLine(line), isTrouble };
}

/** The priority of syslog from which on systemd tells of what is usual, such as starts and ends. */
const notice = 5;
/** A line of the services' log that tells of no trouble. What a process says in other words is what it ends with. */
const harmlessLine = /^\{.*"level":"(?:debug|info)"/;
