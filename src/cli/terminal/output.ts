import { writeSync } from "node:fs";
import { errorCode } from "../../core/errors.ts";

const again = "EAGAIN";
const shortRestMs = 2;

/**
 * Writes to a file descriptor and remembers the first failure, so that a command which printed its result to a full disk does not succeed.
 * A reader that has gone, such as `head`, is no failure: the command goes on without it.
 */
export function createOutput(descriptor: number) {
  let failure: string | undefined;

  function writeAll(text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length;) {
      try {
        written += writeSync(descriptor, bytes, written);
      } catch (error) {
        // The reader of a non-blocking pipe is slow; a blocking pipe would wait for it just as long.
        if (errorCode(error) !== again) throw error;
        Bun.sleepSync(shortRestMs);
      }
    }
  }

  return {
    line(text: string): void {
      if (failure !== undefined) return;
      try {
        writeAll(`${text}\n`);
      } catch (error) {
        failure = errorCode(error) ?? String(error);
      }
    },
    failure: (): string | undefined => (failure === "EPIPE" ? undefined : failure),
  };
}
