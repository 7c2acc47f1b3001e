import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const mount = (...args: string[]): boolean =>
  Bun.spawnSync(["mount", ...args], { stdout: "ignore", stderr: "ignore" }).success;

/** Unmounts lazily, so that processes left by a failed test do not block it. */
const unmount = (folder: string): boolean =>
  Bun.spawnSync(["umount", "--lazy", folder], { stdout: "ignore", stderr: "ignore" }).success;

/** Whether this process may mount: as root of a machine or of a namespace that allows it. */
export const canMount = ((): boolean => {
  if (Bun.which("mount") === null) return false;
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-disk-"));
  const mounted = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder);
  if (mounted) unmount(folder);
  rmSync(folder, { recursive: true });
  return mounted;
})();

export interface SmallDisk extends Disposable {
  readonly folder: string;
  makeReadOnly(): void;
}

/** Makes a small file system in memory, which fills up soon. */
export function smallDisk(kilobytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-disk-"));
  if (!mount("-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", folder)) throw new Error("could not mount");
  return {
    folder,
    makeReadOnly() {
      if (!mount("-o", "remount,ro", folder)) throw new Error("could not make it read-only");
    },
    [Symbol.dispose]() {
      if (unmount(folder)) rmSync(folder, { recursive: true });
    },
  };
}
