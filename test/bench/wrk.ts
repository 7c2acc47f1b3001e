import { resolve } from "node:path";
import type { Workspace } from "./workspace.ts";

export interface Throughput {
  readonly perSecond: number;
  readonly p99Ms: number;
}

interface WrkOptions {
  readonly seconds: number;
  readonly cookie?: string;
  /** A file with one Cookie header a line, sent in turn; more work for wrk than one fixed header. */
  readonly cookiesFile?: string;
}

const connections = 32;
const unitMs = new Map([
  ["us", 0.001],
  ["ms", 1],
  ["s", 1_000],
]);

/** Saturates one route over 32 connections from one thread. Every answer must be a success. */
export async function wrk(
  workspace: Workspace,
  url: string,
  { seconds, cookie, cookiesFile }: WrkOptions,
): Promise<Throughput> {
  if (Bun.which("wrk") === null) throw new Error("wrk is not on PATH (Debian package: wrk)");
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
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  const [, amount, unit = ""] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const p99Ms = Number(amount) * (unitMs.get(unit) ?? Number.NaN);
  if (/Non-2xx|Socket errors/.test(output) || Number.isNaN(perSecond + p99Ms))
    throw new Error(`wrk ${url}:\n${output}`);
  return { perSecond, p99Ms };
}
