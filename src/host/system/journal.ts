import { environmentOf } from "./programs.ts";

/** Lines for the journal of the host, which can be read after the terminal is gone. */
export interface JournalLines {
  write(line: string): void;
  /** Resolves when the journal has all lines. */
  end(): Promise<void>;
}

const endLimitMs = 5_000;

/** Sends all lines through one `logger`. A host without it loses nothing but the journal: the terminal shows the lines anyway. */
export function openJournal(name: string, path?: string): JournalLines {
  const child = start(name, path);
  if (child === undefined) return { write() {}, end: async () => {} };
  return {
    write(line) {
      // A failed journal is ignored: there is nobody to tell.
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
    // Detached, so that Ctrl-C at the terminal does not end it: what is put back afterwards belongs in the journal.
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
