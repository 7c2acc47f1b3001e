import { second } from "../../core/clock.ts";
import { defaultWidth } from "./columns.ts";
import type { Terminal } from "../command.ts";

interface ProgressOptions {
  readonly doing: string;
  /** Formats a count. Default: as a whole number. */
  readonly inWords?: (count: number) => string;
  /** Returns monotonic milliseconds. */
  readonly now?: () => number;
}

const silentMs = 300;
const everyMs = 100;
const barWidth = 24;

const wholeNumber = (count: number): string => Math.round(count).toLocaleString("en");

function timeLeft(newlyDone: number, left: number, tookMs: number): string {
  if (newlyDone <= 0 || left <= 0) return "";
  const seconds = Math.ceil((tookMs * left) / newlyDone / second);
  return seconds < 100 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

/** Shows a bar for long work, if standard error is a terminal. */
export function createProgress(
  { draw, columns = defaultWidth }: Pick<Terminal, "draw" | "columns">,
  { doing, inWords = wholeNumber, now = () => performance.now() }: ProgressOptions,
) {
  let first: { readonly at: number; readonly done: number } | undefined;
  let nextAt = now() + silentMs;
  let isShown = false;
  return {
    show(done: number, total: number): void {
      if (draw === undefined) return;
      const at = now();
      // The speed is measured from the first report: the time before it says nothing about the rest.
      first ??= { at, done };
      if (at < nextAt) return;
      nextAt = at + everyMs;
      isShown = true;
      const share = total <= 0 ? 0 : Math.min(1, done / total);
      const bar = "#".repeat(Math.floor(share * barWidth)).padEnd(barWidth, ".");
      const counts = `${inWords(done)} of ${inWords(total)}${timeLeft(done - first.done, total - done, at - first.at)}`;
      draw(`${doing} [${bar}] ${Math.floor(share * 100)} %  ${counts}`.slice(0, columns - 1));
    },
    end(): void {
      if (isShown) draw?.("");
      isShown = false;
    },
  };
}
