import { createDisk } from "./disk.ts";
import { openInstance } from "./instance.ts";
import { takeLock } from "./lock.ts";
import { openJournal } from "./journal.ts";
import { createPrograms } from "./programs.ts";
import { processes } from "./processes.ts";
import { createSystemd } from "./systemd.ts";

export { accountOf, type Account } from "./accounts.ts";
export { isLeftover, type Disk } from "./disk.ts";
export { explainFileError, HostFailure, ifThere, kernelCode } from "./host.failure.ts";
export type { Listener } from "./processes.ts";
export { requireRoot } from "./root.ts";
export { readUnits, type UnitShown } from "./shown.units.ts";
export { wordsOf } from "./programs.ts";

interface SystemOptions {
  /** Searched for programs first. */
  readonly path?: string | undefined;
  /** The line of a shell that calls the command of this process. */
  readonly line?: string | undefined;
}

/** Returns all access of the host commands to this machine; tests pass a substitute and see the calls. */
export function createSystem({ path, line }: SystemOptions = {}) {
  const run = createPrograms({ path });
  return {
    run,
    systemd: createSystemd({ run }),
    disk: createDisk(),
    processes,
    openInstance,
    takeLock,
    isRoot: (): boolean => process.geteuid?.() === 0,
    line,
    openJournal: (name: string) => openJournal(name, path),
  };
}

export type System = ReturnType<typeof createSystem>;
