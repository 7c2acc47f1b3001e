import type { Log, LogFields, LogLevel } from "../../src/observe/index.ts";

export interface Line {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Makes a log that keeps its lines. */
export function createRecordingLog(): Log & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields });
    };
  const log = { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), with: () => log };
  return log;
}

/** Waits, for a limited time, until other tasks have made the condition true. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  // What takes long is asked for less often, since the one that waits would take the processor from the one that works.
  for (let pauseMs = 2; !(await holds()); pauseMs = Math.min(2 * pauseMs, 50)) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`);
    await Bun.sleep(pauseMs);
  }
}

/** Waits for a line of a target's log: the output of another process may reach the test after its answer. */
export const untilLogged = (target: { logs(): string }, text: string | RegExp): Promise<void> =>
  eventually(`"${text}" in the log`, () => target.logs().search(text) >= 0);
