import { createDisk, type Disk } from "./disk.ts";
import { openInstance, type InstanceConnection } from "./instance.ts";
import { takeLock } from "./lock.ts";
import { createPrograms, type Run } from "./programs.ts";
import { createSockets, type Sockets } from "./sockets.ts";
import { createSystemd, type Systemd } from "./systemd.ts";

export type { Disk } from "./disk.ts";
export { explainFileError, HostFailure, kernelCode } from "./host.failure.ts";
export { wordsOf, type Ran, type Run } from "./programs.ts";
export type { Systemd } from "./systemd.ts";

/** Everything by which the commands for a host reach the host. Tests hand in what they want to see called. */
export interface System {
  readonly run: Run;
  readonly systemd: Systemd;
  readonly disk: Disk;
  readonly sockets: Sockets;
  openInstance(host: string, port: number): Promise<InstanceConnection>;
  /** Undefined where another process holds the lock; otherwise what gives it back. */
  takeLock(path: string): (() => void) | undefined;
  isRoot(): boolean;
}

/** The system of this machine. `path` is where its programs are looked for first. */
export function createSystem({ path }: { readonly path?: string | undefined } = {}): System {
  const run = createPrograms({ path });
  return {
    run,
    systemd: createSystemd({ run }),
    disk: createDisk(),
    sockets: createSockets(),
    openInstance,
    takeLock,
    isRoot: () => process.geteuid?.() === 0,
  };
}
