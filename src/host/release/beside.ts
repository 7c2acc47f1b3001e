import { constants, open } from "node:fs/promises";
import { HostFailure, kernelCode } from "../system/index.ts";

const mostBytes = 64 * 1024;

/**
 * Reads the small file that has to lie beside a binary. Somebody else may have put both there: a link could name a file that only root
 * may read, and a pipe or a device would never end.
 */
export async function readBeside(path: string, absent: string): Promise<string> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (kernelCode(error) === "ENOENT") throw new HostFailure(`${path} is missing`, absent);
    if (kernelCode(error) === "ELOOP") throw unusual(path);
    throw error;
  });
  try {
    if (!(await file.stat()).isFile()) throw unusual(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
    if (bytesRead > mostBytes) throw new HostFailure(`${path} is too large`, "copy it again from the build");
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

const unusual = (path: string): HostFailure =>
  new HostFailure(`${path} is a link, or no file`, "copy the file itself from the build");
