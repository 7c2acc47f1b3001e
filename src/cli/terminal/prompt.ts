import { UsageError, type SecretPrompt } from "../command.ts";
import { Interrupted, interruptible } from "./interruptible.ts";

/** Characters that keys send while the terminal leaves all editing to the program. */
const keys = { interrupt: "\u0003", end: "\u0004", eraseLine: "\u0015", escape: "\u001b" } as const;
const erase: ReadonlySet<string> = new Set(["\u0008", "\u007f"]);
const enter: ReadonlySet<string> = new Set(["\r", "\n"]);
const mostTries = 3;
const control = /\p{Cc}/u;
/** Escape sequences: arrows and similar keys send several characters, which are not meant as text (ECMA-48 §5.4). */
const sequence = new RegExp(`${keys.escape}(?:\\[[0-?]*[ -/]*[@-~]|O[A-Z])`, "g");

type Input = typeof process.stdin;

/** Reads lines without echo. Input after the end of one line begins the next. */
function blindLines(input: Input) {
  let waiting = "";

  /** Moves waiting characters to the line, and returns the line once it is complete. Further characters keep waiting. */
  function take(letters: string[], limit: number): string | undefined {
    const typed = [...waiting];
    for (const [index, letter] of typed.entries()) {
      const isEnd = letter === keys.end;
      if (letter === keys.interrupt || (isEnd && letters.length === 0)) throw new Interrupted();
      if (isEnd || enter.has(letter)) {
        waiting = typed.slice(index + 1).join("");
        return letters.join("");
      }
      if (erase.has(letter)) letters.pop();
      else if (letter === keys.eraseLine) letters.length = 0;
      else if (!control.test(letter) && letters.push(letter) > limit)
        throw new UsageError(`more than ${limit} characters were typed`);
    }
    waiting = "";
    return undefined;
  }

  return (limit: number, signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      const letters: string[] = [];
      const read = (chunk = ""): void => {
        waiting = (waiting + chunk).replaceAll(sequence, "");
        try {
          const line = take(letters, limit);
          if (line !== undefined) settle(() => resolve(line));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const onEnd = (): void => settle(() => reject(new Interrupted()));
      const onAbort = (): void => settle(() => reject(signal.reason));
      function settle(how: () => void): void {
        input.off("data", onData).off("end", onEnd);
        signal.removeEventListener("abort", onAbort);
        how();
      }
      const onData = (chunk: unknown): void => read(String(chunk));
      input.on("data", onData).on("end", onEnd);
      signal.addEventListener("abort", onAbort);
      read();
    });
}

/**
 * Asks for a secret on a terminal, twice if a slip would lock somebody out. The terminal echoes input again afterwards, however the prompt
 * ends.
 */
export async function typedSecret(
  { prompt, again, limit }: SecretPrompt,
  input: Input = process.stdin,
): Promise<string> {
  const show = (text: string): void => void process.stderr.write(text);
  const nextLine = blindLines(input);
  return interruptible(async (signal) => {
    async function ask(question: string): Promise<string> {
      show(question);
      return nextLine(limit, signal).finally(() => show("\n"));
    }
    input.setRawMode(true);
    input.setEncoding("utf8");
    try {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const secret = await ask(prompt);
        if (again === undefined || (await ask(again)) === secret) return secret;
        show("the two are not the same: type both again\n");
      }
      throw new Error("they were not the same three times, and nothing was changed");
    } finally {
      input.setRawMode(false);
      input.pause();
    }
  });
}

export function typedLine(question: string, input: Input = process.stdin): Promise<string> {
  process.stderr.write(question);
  return interruptible(
    (signal) =>
      new Promise<string>((resolve, reject) => {
        const settle = (how: () => void): void => {
          input.off("data", onData).off("end", onEnd);
          input.pause();
          how();
        };
        // A terminal delivers complete lines.
        const onData = (chunk: unknown): void => settle(() => resolve(String(chunk).replace(/\r?\n[^]*$/, "")));
        const onEnd = (): void => settle(() => reject(new Interrupted()));
        signal.addEventListener("abort", () => settle(() => reject(signal.reason)));
        input.setEncoding("utf8");
        input.on("data", onData).on("end", onEnd);
      }),
  );
}
