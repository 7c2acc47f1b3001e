import type { Population } from "./population.ts";
import type { Workspace } from "./workspace.ts";

/** One line of the table. `met` is absent if there is no goal or nothing was measured. */
export interface Measure {
  readonly measure: string;
  readonly goal: string;
  readonly measured: string;
  readonly met?: boolean;
}

export interface Findings {
  readonly measures: readonly Measure[];
  /** Figures that the measures were derived from, one a line. */
  readonly raw: readonly string[];
  /** Lines that stand in the manual as they are, such as a table of its own. */
  readonly page?: readonly string[];
}

export interface Bench {
  readonly workspace: Workspace;
  /** Resolves to a database with `size` users and sessions, made once a run. */
  readonly population: (size: number) => Promise<Population>;
}

export interface Part {
  readonly name: string;
  /** Seconds after which the part is given up. */
  readonly limitSeconds: number;
  /** Whether it runs only where it is asked for, since it takes so long. */
  readonly onlyByName?: boolean;
  run(bench: Bench): Promise<Findings>;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Returns the percentile by nearest rank; `share` is from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.min(sorted.length, Math.max(1, Math.ceil(sorted.length * share)));
  const value = sorted[rank - 1];
  if (value === undefined) throw new Error("no values to take a percentile of");
  return value;
}

export const count = (value: number): string => Math.round(value).toLocaleString("en");
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
export const times = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)}×`;
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
export const micros = (value: number): string => (value < 1_000 ? `${value.toFixed(0)} µs` : ms(value / 1_000));
