import { eventually } from "./log.ts";

interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols?: number;
}

/** ECHO of c_lflag in termios(3), the same on Linux and macOS. */
const echo = 0o10;

/** Starts a program on its own terminal, as a person would. */
export function startInTerminal(argv: readonly string[], { cwd, env, cols = 80 }: TerminalOptions) {
  const decoder = new TextDecoder();
  let shown = "";
  const terminal = new Bun.Terminal({
    cols,
    rows: 24,
    data: (_, data) => void (shown += decoder.decode(data, { stream: true })),
  });
  // The terminal controls the program as it does a person's: Ctrl-C sends its signal.
  const child = Bun.spawn(["setsid", "--ctty", ...argv], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", ...env },
    terminal,
  });
  return {
    child,
    /** Returns all output to the screen, including control characters. */
    shown: (): string => shown,
    type: (text: string): void => void terminal.write(text),
    /** Waits, for a limited time, for text on the screen. */
    until: (text: string | RegExp): Promise<void> =>
      eventually(`the terminal shows ${text}`, () =>
        typeof text === "string" ? shown.includes(text) : text.test(shown),
      ),
    /** Whether the terminal shows what is typed. A prompt for a secret turns that off, and must turn it on again. */
    echoes: (): boolean => (terminal.localFlags & echo) !== 0,
    async end(): Promise<void> {
      child.kill("SIGKILL");
      await child.exited;
      terminal.close();
    },
  };
}
