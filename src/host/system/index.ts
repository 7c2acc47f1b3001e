import { createDisk, type Disk } from "./disk.ts";
import { openInstance, type InstanceConnection } from "./instance.ts";
import { takeLock } from "./lock.ts";
import { openJournal, type JournalLines } from "./journal.ts";
import { createPrograms, type Run } from "./programs.ts";
import { createProcesses, type Processes } from "./processes.ts";
import { createSystemd, type Systemd } from "./systemd.ts";

export { isLeftover, type Disk } from "./disk.ts";
export { explainFileError, HostFailure, kernelCode } from "./host.failure.ts";
export { wordsOf, type Run } from "./programs.ts";
export type { Systemd } from "./systemd.ts";

/** Everything by which the commands for a host reach the host. Tests hand in what they want to see called. */
export interface System {
  readonly run: Run;
  readonly systemd: Systemd;
  readonly disk: Disk;
  readonly processes: Processes;
  openInstance(host: string, port: number): Promise<InstanceConnection>;
  /** Undefined where another process holds the lock; otherwise what gives it back. */
  takeLock(path: string): (() => void) | undefined;
  isRoot(): boolean;
  /** Lines for the journal of the host under that name. */
  openJournal(name: string): JournalLines;
}

/** The system of this machine. `path` is where its programs are looked for first. */
export function createSystem({ path }: { readonly path?: string | undefined } = {}): System {
  const run = createPrograms({ path });
  return {
    run,
    systemd: createSystemd({ run }),
    disk: createDisk(),
    processes: createProcesses(),
    openInstance,
    takeLock,
    isRoot: () => process.geteuid?.() === 0,
    openJournal: (name) => openJournal(name, path),
  };
}
