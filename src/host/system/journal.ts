import { environmentOf } from "./programs.ts";

/** What goes into the journal of the host, so that it can be read after the terminal is gone. */
export interface JournalLines {
  write(line: string): void;
  /** Resolves when the journal has what was written. */
  end(): Promise<void>;
}

const endLimitMs = 5_000;

/** One `logger` takes all lines. A host without it goes without: the journal is told what the terminal is told anyway. */
export function openJournal(name: string, path?: string): JournalLines {
  const child = start(name, path);
  if (child === undefined) return { write() {}, end: async () => {} };
  return {
    write(line) {
      // Nobody can be told of a journal that takes no more.
      void Promise.resolve(child.stdin.write(`${line}\n`)).catch(() => undefined);
      void Promise.resolve(child.stdin.flush()).catch(() => undefined);
    },
    async end() {
      await child.stdin.end();
      const limit = setTimeout(() => child.kill("SIGKILL"), endLimitMs);
      await child.exited;
      clearTimeout(limit);
    },
  };
}

function start(name: string, path: string | undefined) {
  try {
    // Ctrl-C at the terminal does not end it: what is put back after that belongs into the journal.
    return Bun.spawn(["logger", `--tag=${name}`], {
      env: environmentOf(path),
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
    });
  } catch {
    return undefined;
  }
}
