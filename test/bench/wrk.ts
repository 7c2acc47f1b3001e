import { resolve } from "node:path";
import { count, ms } from "./findings.ts";
import { medianOf } from "./load.ts";
import type { Server, Workspace } from "./workspace.ts";

export interface Throughput {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** The server's processor time per request, in microseconds, which stays comparable on a busy machine. */
  readonly cpuMicros: number;
}

interface WrkOptions {
  readonly path: string;
  readonly seconds: number;
  readonly cookie?: string;
  /** A file with one Cookie header a line, sent in turn. More work for wrk than one fixed header. */
  readonly cookiesFile?: string;
}

const connections = 32;
const unitMs = new Map([
  ["us", 0.001],
  ["ms", 1],
  ["s", 1_000],
]);

/** Saturates one route over 32 connections from one thread. Every answer must be a success. */
export async function wrk(workspace: Workspace, server: Server, options: WrkOptions): Promise<Throughput> {
  const { path, seconds, cookie, cookiesFile } = options;
  const url = `http://127.0.0.1:${server.port}${path}`;
  if (Bun.which("wrk") === null) throw new Error("wrk is not on PATH (Debian package: wrk)");
  const cpuBefore = await server.cpuSeconds();
  const output = await workspace.complete("wrk", [
    "wrk",
    "-t1",
    `-c${connections}`,
    `-d${seconds}`,
    "--latency",
    ...(cookie === undefined ? [] : ["-H", `Cookie: ${cookie}`]),
    ...(cookiesFile === undefined
      ? [url]
      : ["-s", resolve(import.meta.dir, "wrk.cookies.lua"), url, "--", cookiesFile]),
  ]);
  const cpuSeconds = (await server.cpuSeconds()) - cpuBefore;
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  const [, amount, unit = ""] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const p99Ms = Number(amount) * (unitMs.get(unit) ?? Number.NaN);
  const cpuMicros = (cpuSeconds / requests) * 1_000_000;
  const isComplete = Number.isFinite(perSecond) && Number.isFinite(p99Ms) && Number.isFinite(cpuMicros);
  if (/Non-2xx|Socket errors/.test(output) || !isComplete) throw new Error(`wrk ${url}:\n${output}`);
  return { perSecond, p99Ms, cpuMicros };
}

/** Returns the figures behind a measure in one line. */
export const throughputLine = (name: string, results: readonly Throughput[]): string =>
  `${name}: ${count(medianOf(results, ({ perSecond }) => perSecond))}/s, p99 ${ms(medianOf(results, ({ p99Ms }) => p99Ms))}, processor ${medianOf(results, ({ cpuMicros }) => cpuMicros).toFixed(1)} µs a request (rounds: ${results.map(({ perSecond }) => count(perSecond)).join(" ")})`;
