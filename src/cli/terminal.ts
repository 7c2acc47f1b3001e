import { UsageError, type Terminal } from "./command.ts";

/** The terminal of this process. */
export const processTerminal = (): Terminal => ({
  env: process.env,
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  readSecret: (prompt, limit) => (process.stdin.isTTY ? typed(prompt, limit) : piped(limit)),
});

/** Reads standard input, without the one line end that `echo` and editors add. */
async function piped(limit: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const chunk of Bun.stdin.stream()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit + 2) throw new UsageError(`standard input holds more than ${limit} characters`);
  }
  return (text + decoder.decode()).replace(/\r?\n$/, "");
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
