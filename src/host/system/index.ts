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

/** All access of the host commands to the host. Tests pass a substitute and see the calls. */
export interface System {
  readonly run: Run;
  readonly systemd: Systemd;
  readonly disk: Disk;
  readonly processes: Processes;
  openInstance(host: string, port: number): Promise<InstanceConnection>;
  /** Takes a lock and returns the function that releases it; undefined if another process holds it. */
  takeLock(path: string): (() => void) | undefined;
  isRoot(): boolean;
  /** Opens the journal of the host for lines under that name. */
  openJournal(name: string): JournalLines;
}

/** Returns the system of this machine. `path` is searched for programs first. */
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
