import { randomBytes } from "node:crypto";
import { chmod, chown, constants, link, lstat, mkdir, open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { explainFileError, HostFailure, ifThere, kernelCode, type Account, type Disk } from "../system/index.ts";

interface Wanted {
  readonly path: string;
  /** Endings of files that are written beside it. */
  readonly beside: readonly string[];
  /** Whether files that are there already are replaced. */
  readonly replace: boolean;
}

interface Options extends Wanted {
  readonly account: Account;
  readonly disk: Disk;
  /** Files that no output may replace. */
  readonly kept: readonly string[];
  /** Makes a folder on another disk, for a place whose file system knows no owners. */
  elsewhere(): Promise<string>;
}

/**
 * Makes a folder beside the place of a file that the services are to write, and lends it to them. `publish` takes the folder back, gives the
 * files in it to the caller, and puts them into place; until then nobody sees them.
 */
export async function lend({ path, beside, replace, account, disk, kept, elsewhere }: Options) {
  const paths = ["", ...beside].map((ending) => `${path}${ending}`);
  await requireFolder(dirname(path));
  for (const each of paths) await requireFree(each, replace, kept);
  const folder = `${path}.${randomBytes(6).toString("hex")}.partial`;
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw explainFileError(error, dirname(path));
  });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const lent = await disk.giveTo(account, folder).then(
    () => folder,
    async (error: unknown) => {
      await remove();
      if (!noOwners.includes(kernelCode(error))) throw explainFileError(error, dirname(path));
      const other = await elsewhere();
      await disk.giveTo(account, other);
      return other;
    },
  );

  return {
    folder: lent,
    remove,
    /** Rejects with EEXIST turned into words where a file has come into place meanwhile. */
    async publish(): Promise<void> {
      // Processes of the services that kept the folder open have no way into it from here on.
      await chown(lent, 0, 0);
      await chmod(lent, 0o700);
      const made: string[] = [];
      for (const each of paths) if (await takeBack(join(lent, basename(each)), account)) made.push(each);
      if (made[0] !== path) throw new HostFailure(`nothing was written to ${path}`, "see what is said above");
      if (replace) for (const companion of paths.slice(1)) await rm(companion, { force: true });
      for (const [index, each] of made.entries())
        await place(join(lent, basename(each)), each, { replace: replace || index > 0, disk });
    },
  };
}

/** What kernels answer where files have no owner of their own: on sticks, and on shares of servers that trust no root. */
const noOwners: readonly (string | undefined)[] = ["EPERM", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

async function requireFolder(folder: string): Promise<void> {
  const found = await ifThere(stat(folder));
  if (found?.isDirectory() !== true) throw new HostFailure(`${folder} is no folder`, "make it first");
}

async function requireFree(path: string, replace: boolean, kept: readonly string[]): Promise<void> {
  const found = await ifThere(lstat(path));
  if (found === undefined) return;
  if (!replace) throw new HostFailure(`${path} is there already`, "give another path, or --force to replace it");
  if (found.isDirectory()) throw new HostFailure(`${path} is no file`, "give the path of one");
  for (const each of kept) {
    const own = await ifThere(stat(each));
    if (own?.ino === found.ino && own.dev === found.dev)
      throw new HostFailure(`${path} is the database itself`, "give another path");
  }
}

/** Makes a file that the services wrote the caller's own. What is no file of theirs is refused: it could be a link to anything. */
async function takeBack(path: string, { uid }: Account): Promise<boolean> {
  const file = await ifThere(open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  if (file === undefined) return false;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.uid !== uid || found.nlink !== 1)
      throw new HostFailure(
        `${path} is no file of the services`,
        "this is not their doing: see who else is on this host",
      );
    await makeOwn(file);
  } finally {
    await file.close();
  }
  return true;
}

async function makeOwn(file: FileHandle): Promise<void> {
  await file.chown(process.geteuid?.() ?? 0, process.getegid?.() ?? 0);
  await file.chmod(0o600);
  await file.sync();
}

interface Placing {
  readonly replace: boolean;
  readonly disk: Disk;
}

async function place(from: string, to: string, { replace, disk }: Placing): Promise<void> {
  try {
    if (replace) await rename(from, to);
    else await link(from, to);
  } catch (error) {
    if (kernelCode(error) === "EEXIST")
      throw new HostFailure(`${to} has come into being meanwhile, and was left alone`, "give another path");
    if (!["EXDEV", ...noOwners].includes(kernelCode(error))) throw explainFileError(error, to);
    await placeCopy(from, to, { replace, disk });
  }
  await disk.syncFolder(dirname(to));
}

/** Puts a copy into place where the file itself can't go: on another disk, or on one without links. */
async function placeCopy(from: string, to: string, { replace, disk }: Placing): Promise<void> {
  const aside = `${to}.${randomBytes(6).toString("hex")}.partial`;
  try {
    await disk.copy(from, aside, 0o600);
    if (!replace && (await ifThere(lstat(to))) !== undefined)
      throw new HostFailure(`${to} has come into being meanwhile, and was left alone`, "give another path");
    await rename(aside, to);
  } catch (error) {
    await rm(aside, { force: true });
    throw explainFileError(error, to);
  }
}
