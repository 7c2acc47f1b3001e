import { second } from "../core/clock.ts";
import { defaultWidth } from "./columns.ts";
import type { Terminal } from "./command.ts";

interface ProgressOptions {
  /** What is going on: `importing`. */
  readonly doing: string;
  /** How a count is written. Default: as a whole number. */
  readonly inWords?: (count: number) => string;
  /** Milliseconds, by a clock that nobody sets. */
  readonly now?: () => number;
}

export interface Progress {
  show(done: number, total: number): void;
  /** Takes the bar away. */
  end(): void;
}

const silentMs = 300;
const everyMs = 100;
const barWidth = 24;

const wholeNumber = (count: number): string => Math.round(count).toLocaleString("en");

function timeLeft(done: number, total: number, tookMs: number): string {
  if (done <= 0 || done >= total) return "";
  const seconds = Math.ceil((tookMs * (total - done)) / done / second);
  return seconds < 100 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

/** A bar on standard error for work that takes long, where that is a terminal; elsewhere nothing. */
export function createProgress(
  { draw, columns = defaultWidth }: Pick<Terminal, "draw" | "columns">,
  { doing, inWords = wholeNumber, now = () => performance.now() }: ProgressOptions,
): Progress {
  if (draw === undefined) return { show() {}, end() {} };
  const startedAt = now();
  let nextAt = startedAt + silentMs;
  let isShown = false;
  return {
    show(done, total) {
      const at = now();
      if (at < nextAt) return;
      nextAt = at + everyMs;
      isShown = true;
      const share = total <= 0 ? 0 : Math.min(1, done / total);
      const bar = "#".repeat(Math.floor(share * barWidth)).padEnd(barWidth, ".");
      const counts = `${inWords(done)} of ${inWords(total)}${timeLeft(done, total, at - startedAt)}`;
      draw(`${doing} [${bar}] ${Math.floor(share * 100)} %  ${counts}`.slice(0, columns - 1));
    },
    end() {
      if (isShown) draw("");
      isShown = false;
    },
  };
}
