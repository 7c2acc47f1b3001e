import { environmentOf } from "./programs.ts";

const endLimitMs = 5_000;

/**
 * Opens the journal of the host, which can be read after the terminal is gone, for lines under that name. Sends them through one `logger`.
 * A host without it loses nothing but the journal: the terminal shows the lines anyway.
 */
export function openJournal(name: string, path?: string) {
  const child = start(name, path);
  return {
    write(line: string): void {
      // A failed journal is ignored: there is nobody to tell.
      void Promise.resolve(child?.stdin.write(`${line}\n`)).catch(() => undefined);
      void Promise.resolve(child?.stdin.flush()).catch(() => undefined);
    },
    /** Resolves when the journal has all lines. */
    async end(): Promise<void> {
      if (child === undefined) return;
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
