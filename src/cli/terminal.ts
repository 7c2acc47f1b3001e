import { readBounded } from "../core/stream.ts";
import { defaultWidth } from "./columns.ts";
import { UsageError, type Terminal } from "./command.ts";

/** The terminal of this process. What it is capable of is found out when it is asked for: the runtime's streams take a while to load. */
export const processTerminal = (): Terminal => ({
  env: process.env,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  readSecret: (prompt, limit) => (process.stdin.isTTY ? typed(prompt, limit) : piped(limit)),
  get ask() {
    return process.stdin.isTTY && process.stderr.isTTY ? answered : undefined;
  },
  get draw() {
    return process.stderr.isTTY ? drawn : undefined;
  },
  get columns() {
    return process.stdout.isTTY ? Math.max(defaultWidth, process.stdout.columns) : undefined;
  },
});

const drawn = (text: string): void => void process.stderr.write(`\r\u001b[2K${text}`);

async function answered(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** Reads standard input, without the one line end that `echo` and editors add. */
async function piped(limit: number): Promise<string> {
  const tooLarge = () => new UsageError(`standard input holds more than ${limit} characters`);
  // A line end of two characters is allowed for, and UTF-8 has at most three bytes for each unit that `length` counts.
  const bytes = await readBounded(Bun.stdin.stream(), { mostBytes: 3 * (limit + 2), tooLarge });
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (text.length > limit + 2) throw tooLarge();
  return text.replace(/\r?\n$/, "");
}

const interrupt = "\u0003";
const erase = new Set(["\u0008", "\u007f"]);

async function typed(prompt: string, limit: number): Promise<string> {
  process.stderr.write(prompt);
  process.stdin.setRawMode(true);
  process.stdin.setEncoding("utf8");
  const letters: string[] = [];
  try {
    for await (const chunk of process.stdin) {
      for (const letter of String(chunk)) {
        if (letter === interrupt) throw new UsageError("interrupted");
        if (letter === "\r" || letter === "\n") return letters.join("");
        if (erase.has(letter)) letters.pop();
        else if (letters.push(letter) > limit) throw new UsageError(`more than ${limit} characters were typed`);
      }
    }
    return letters.join("");
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write("\n");
  }
}
