import { randomBytes } from "node:crypto";
import { link, lstat, realpath, rename } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { HostFile } from "../files/index.ts";
import { explainFileError, HostFailure, ifThere, kernelCode, type Disk } from "../system/index.ts";

const othersWrite = 0o002;
const sticky = 0o1000;

export type Place = ReturnType<typeof createPlace>;

/**
 * Writes and removes files below `root`, wherever links there lead, by paths that only root, or the caller, can redirect. Failures say what
 * an operator can do about them.
 */
export function createPlace(disk: Disk, root: string) {
  async function requireWay(folder: string): Promise<void> {
    if (root !== "/") await refuseWayOut(root, folder);
    await refuseForeignWay(folder);
  }

  /** Throws if one of these paths may not be written or removed, because somebody else could redirect it or it leaves the root. */
  async function requireWays(paths: readonly string[]): Promise<void> {
    for (const folder of new Set(paths.map((path) => dirname(path)))) await requireWay(folder);
  }

  /** Writes a file in one step, so that even a power cut leaves no half of it. A link in its place is replaced, not followed. */
  async function write({ path, mode, text }: HostFile): Promise<void> {
    await requireWay(dirname(path));
    await explained(path, disk.write(path, text, mode));
  }

  return {
    requireWays,
    write,

    /** Writes a file in one step unless one is there already. Resolves to whether it was written. */
    async create({ path, mode, text }: HostFile): Promise<boolean> {
      const aside = `${path}.${randomBytes(6).toString("hex")}`;
      await write({ path: aside, mode, text });
      try {
        await link(aside, path);
        await disk.syncFolder(dirname(path));
        return true;
      } catch (error) {
        if (kernelCode(error) === "EEXIST") return false;
        throw explainFileError(error, path);
      } finally {
        await disk.remove(aside);
      }
    },

    async folder(path: string, mode = 0o755): Promise<void> {
      await requireWay(path);
      await explained(path, disk.folder(path, mode));
    },

    async remove(path: string): Promise<void> {
      await requireWay(dirname(path));
      await explained(path, disk.remove(path));
    },

    async move(from: string, to: string): Promise<void> {
      await requireWays([from, to]);
      await explained(to, rename(from, to));
    },
  };
}

const explained = <T>(path: string, act: Promise<T>): Promise<T> =>
  act.catch((error: unknown) => {
    throw explainFileError(error, path);
  });

/** Throws if a link on the path leads out of `root`, such as an absolute link in an image that is being prepared there. */
async function refuseWayOut(root: string, folder: string): Promise<void> {
  const realRoot = await realpath(root);
  let path = root;
  for (const name of folder.slice(root.length).split(sep).filter(Boolean)) {
    path = join(path, name);
    const found = await explained(path, ifThere(lstat(path)));
    if (found === undefined) return;
    if (!found.isSymbolicLink()) continue;
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && `${real}${sep}`.startsWith(`${realRoot}${sep}`)) continue;
    throw new HostFailure(
      `${path} is a link that leads out of ${root}`,
      "replace it by a folder, or by a relative link to one there, then run this again",
    );
  }
}

/**
 * Throws if somebody else can redirect the path: a link or folder on it belongs neither to root nor to the caller, or everybody may rename
 * the entries of a folder.
 */
async function refuseForeignWay(folder: string): Promise<void> {
  await refuseForeignParts(folder);
  const real = await realpath(folder).catch(() => folder);
  if (real !== folder) await refuseForeignParts(real);
}

async function refuseForeignParts(folder: string): Promise<void> {
  const own = new Set([0, process.geteuid?.() ?? 0]);
  for (let path = folder; ; path = dirname(path)) {
    const found = await explained(path, ifThere(lstat(path)));
    const isOpen = found !== undefined && !found.isSymbolicLink() && (found.mode & othersWrite) !== 0;
    if (found !== undefined && (!own.has(found.uid) || (isOpen && (found.mode & sticky) === 0)))
      throw new HostFailure(
        `others may change what is in ${path}`,
        `make it root's alone (chown root, chmod go-w), then run this again`,
      );
    if (path === dirname(path)) return;
  }
}
