import { chmod, chown, constants, copyFile, mkdir, open, statfs, type FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import { HostFailure, ifThere, kernelCode, type Account } from "../system/index.ts";

/** Inputs up to this size, which secret keys are among, are handed over in memory, and never touch another disk. */
const mostInMemory = 1024 ** 2;

interface Given {
  readonly path: string;
  /** Endings of files that belong to it, where they are there. */
  readonly beside: readonly string[];
}

interface Places {
  /** A folder in memory, which the sandbox sees. */
  readonly memory: string;
  /** Makes a folder on a disk, which appears in place of the one in memory. */
  onDisk(): Promise<string>;
}

/** Opens a file as its caller may, and hands copies of it and of what belongs to it to the services' group, for reading alone. */
export async function takeIn({ path, beside }: Given, places: Places, { gid }: Account): Promise<void> {
  const opened: { readonly name: string; readonly file: FileHandle; readonly size: number }[] = [];
  try {
    for (const ending of ["", ...beside]) {
      const file = await (ending === "" ? openInput(path) : ifThere(open(`${path}${ending}`, reading)));
      if (file !== undefined) opened.push({ name: `${basename(path)}${ending}`, file, size: (await file.stat()).size });
    }
    const size = opened.reduce((sum, each) => sum + each.size, 0);
    await mkdir(places.memory, { mode: 0o700 });
    const folder = size <= mostInMemory ? places.memory : await places.onDisk();
    await requireRoom(folder, size);
    for (const { name, file } of opened) {
      const copy = join(folder, name);
      await copyFile(`/proc/self/fd/${file.fd}`, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await chown(copy, 0, gid);
      await chmod(copy, 0o440);
    }
    await chown(folder, 0, gid);
    await chmod(folder, 0o750);
  } finally {
    for (const { file } of opened) await file.close();
  }
}

const reading = constants.O_RDONLY | constants.O_NONBLOCK;

async function openInput(path: string): Promise<FileHandle> {
  // A pipe that nobody writes to is not waited for.
  const file = await open(path, reading).catch((error: unknown) => {
    throw whyUnopened(error, path);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new HostFailure(`${path} is no file`, "give the path of one");
}

const absent: readonly (string | undefined)[] = ["ENOENT", "ENOTDIR"];

const whyUnopened = (error: unknown, path: string): HostFailure =>
  absent.includes(kernelCode(error))
    ? new HostFailure(`${path}: there is no such file`, "give the path of one", { cause: error })
    : new HostFailure(`${path} can't be read (${kernelCode(error)})`, `see who may: ls -l ${path}`, { cause: error });

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize > bytes) return;
  const [needed, free] = [bytes, bavail * bsize].map((each) => `${Math.ceil(each / 1024 ** 2)} MiB`);
  throw new HostFailure(
    `the file is handed over as a copy in ${folder}, which takes ${needed}, and ${free} are free there`,
    "make room there, then run this again",
  );
}
