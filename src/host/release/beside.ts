import { constants, open } from "node:fs/promises";
import { basename } from "node:path";
import { HostFailure, kernelCode } from "../system/index.ts";

const mostBytes = 64 * 1024;

/**
 * Reads the small file that must lie beside a binary. Somebody else may have put both there: a link could name a file that only root may
 * read, and a pipe or a device would never end.
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

/**
 * Reads the SHA-256 in the file beside a binary. The file must hold that checksum alone: a list, or the checksum of another file, says
 * nothing about this binary. The name in it may be the app's, by which the build wrote it, since people rename binaries. `absent` is the
 * advice for a missing file.
 */
export async function readChecksum(binary: string, app: string, absent: string): Promise<string> {
  const path = `${binary}.sha256`;
  const again = "copy it again from the build";
  const [line = "", ...more] = (await readBeside(path, absent)).trimEnd().split("\n");
  const [, digest, name] = /^([0-9a-f]{64})(?: [ *](.+))?$/.exec(line) ?? [];
  if (digest === undefined) throw new HostFailure(`${path} holds no SHA-256`, again);
  if (more.length > 0) throw new HostFailure(`${path} holds more than one checksum`, again);
  if (name !== undefined && name !== app && name !== basename(binary))
    throw new HostFailure(`${path} holds the checksum of another file`, again);
  return digest;
}

export async function checksumOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

const unusual = (path: string): HostFailure =>
  new HostFailure(`${path} is a link, or no file`, "copy the file itself from the build");
