import { readBounded } from "../../core/pace/stream.ts";
import { defaultWidth } from "./columns.ts";
import { UsageError, type Terminal } from "../command.ts";
import { createOutput } from "./output.ts";
import { typedLine, typedSecret } from "./prompt.ts";

/** Returns the terminal of this process. Its capabilities are examined on demand, because the runtime's streams take a while to load. */
export function processTerminal(): Terminal {
  const output = createOutput(1);
  // The console is avoided because it writes every hint in red.
  const complaints = createOutput(2);
  return {
    env: process.env,
    out: output.line,
    err: complaints.line,
    log: (line, to) => (to === "out" ? console.log(line) : complaints.line(line)),
    failure: output.failure,
    readSecret: (asked) => (process.stdin.isTTY ? typedSecret(asked) : piped(asked.limit)),
    get ask() {
      return process.stdin.isTTY && process.stderr.isTTY ? (question: string) => typedLine(question) : undefined;
    },
    get draw() {
      return process.stderr.isTTY ? (text: string) => void process.stderr.write(`\r\u001b[2K${text}`) : undefined;
    },
    get columns() {
      return process.stdout.isTTY ? process.stdout.columns || defaultWidth : undefined;
    },
  };
}

/** Reads the password on standard input, without the one line end that `echo` and editors add. */
async function piped(limit: number): Promise<string> {
  const tooLarge = () => new UsageError(`standard input holds more than ${limit} characters`);
  // The limit allows for a line end of two characters; UTF-8 needs at most three bytes for each unit of `length`.
  const bytes = await readBounded(Bun.stdin.stream(), { mostBytes: 3 * (limit + 2), tooLarge });
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (text.length > limit + 2) throw tooLarge();
  const line = text.replace(/\r?\n$/, "");
  if (line === "") throw new UsageError("no password came on standard input", "Pipe it in, or run this in a terminal");
  return line;
}
