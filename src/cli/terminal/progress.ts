import { second } from "../../core/clock.ts";
import { defaultWidth } from "./columns.ts";
import type { Terminal } from "../command.ts";

interface ProgressOptions {
  readonly doing: string;
  /** Formats a count. Default: as a whole number. */
  readonly inWords?: (count: number) => string;
  /** What is counted. Default: nothing is said of it. */
  readonly of?: string;
  /** Returns monotonic milliseconds. */
  readonly now?: () => number;
}

const silentMs = 300;
const everyMs = 100;
/** How often work that is no longer short says how far it is where there is no bar: in a log file, in a pipe. */
const lineEveryMs = 10 * second;
const barWidth = 24;

const wholeNumber = (count: number): string => Math.round(count).toLocaleString("en");

function timeLeft(newlyDone: number, left: number, tookMs: number): string {
  if (newlyDone <= 0 || left <= 0) return "";
  const seconds = Math.ceil((tookMs * left) / newlyDone / second);
  return seconds < 100 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}

/** Shows how far long work has come: a bar where standard error is a terminal, and otherwise a line now and then. */
export function createProgress(
  { draw, err, columns = defaultWidth }: Pick<Terminal, "draw" | "err" | "columns">,
  { doing, inWords = wholeNumber, of, now = () => performance.now() }: ProgressOptions,
) {
  let first: { readonly at: number; readonly done: number } | undefined;
  let nextAt = now() + (draw === undefined ? lineEveryMs : silentMs);
  let isShown = false;
  return {
    show(done: number, total: number): void {
      const at = now();
      // The speed is measured from the first report: the time before it says nothing about the rest.
      // Work that is done in several rounds counts from anew in each.
      if (first === undefined || done < first.done) first = { at, done };
      if (at < nextAt) return;
      const share = total <= 0 ? 0 : Math.min(1, done / total);
      const percent = `${Math.floor(share * 100)} %`;
      const left = timeLeft(done - first.done, total - done, at - first.at);
      const counts = `${inWords(done)} of ${inWords(total)}${of === undefined ? "" : ` ${of}`}${left}`;
      if (draw === undefined) {
        nextAt = at + lineEveryMs;
        err(`${doing}: ${percent}, ${counts}`);
        return;
      }
      nextAt = at + everyMs;
      isShown = true;
      const bar = "#".repeat(Math.floor(share * barWidth)).padEnd(barWidth, ".");
      draw(`${doing} [${bar}] ${percent}  ${counts}`.slice(0, columns - 1));
    },
    end(): void {
      if (isShown) draw?.("");
      isShown = false;
    },
  };
}
