import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { readElf } from "../elf.ts";
import { debian, debianPackages, type Architecture } from "../libraries.ts";
import { foldersAbove, type TarEntry } from "../tar.ts";

/** The user id: neither root's nor that of an account on the container's host. */
export const user = 65_532;
export const home = "var/lib/gatehouse";
/** Libraries that the addon loads, or the C library for names of hosts and users, so that the binary does not name them. */
const loadedLater = ["libgcc_s.so.1", "librt.so.1"];

/**
 * Returns the files besides the binary: its libraries and their licences, what scanners of images read of them, a name for the user, and
 * writable folders.
 */
export async function baseFiles(
  program: Uint8Array,
  libraries: string,
  architecture: Architecture,
): Promise<TarEntry[]> {
  const { interpreter, needed } = readElf(program);
  const loader = (interpreter ?? "").slice(1);
  const names = [...new Set([...needed, ...loadedLater])].filter((name) => name !== basename(loader)).toSorted();
  const folder = (await readdir(join(libraries, "lib"))).find(
    (name) => name.endsWith("-linux-gnu") && existsSync(join(libraries, "lib", name, basename(loader))),
  );
  if (folder === undefined) throw new Error("the packages have no folder of libraries");
  const read = (path: string): Promise<Uint8Array> => Bun.file(path).bytes();
  const source = join(libraries, "lib", folder);
  const found = await Promise.all(
    names.map(async (name): Promise<TarEntry> => ({
      path: `lib/${folder}/${name}`,
      file: await read(join(source, name)),
    })),
  );
  const files: TarEntry[] = [
    { path: loader, mode: 0o755, file: await read(join(source, basename(loader))) },
    ...found,
    { path: "usr/share/doc/libc6/copyright", file: await read(join(libraries, "usr/share/doc/libc6/copyright")) },
    {
      path: "etc/passwd",
      file: Buffer.from(`root:x:0:0::/:/nologin\ngatehouse:x:${user}:${user}::/${home}:/nologin\n`),
    },
    { path: "etc/group", file: Buffer.from(`root:x:0:\ngatehouse:x:${user}:\n`) },
    ...installed(architecture),
  ];
  const folders = foldersAbove([...files.map(({ path }) => path), `${home}/x`]).filter(({ path }) => path !== home);
  return [
    ...folders,
    { path: home, folder: true, mode: 0o700, owner: user },
    { path: "tmp", folder: true, mode: 0o1777 },
    ...files,
  ];
}

/** Returns what dpkg would know of the packages, a file for each, and the release that they are of: there is no dpkg in the image. */
const installed = (architecture: Architecture): TarEntry[] => [
  {
    path: "etc/os-release",
    file: Buffer.from(
      `PRETTY_NAME="Libraries of Debian ${debian.version}"\nNAME="Debian GNU/Linux"\nID=${debian.id}\nVERSION_ID="${debian.version}"\n`,
    ),
  },
  ...debianPackages(architecture).map(({ name, source, version }) => ({
    path: `var/lib/dpkg/status.d/${name}`,
    file: Buffer.from(
      `Package: ${name}\nStatus: install ok installed\nSource: ${source}\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: Debian\nDescription: files of this package that the binary is linked with\n`,
    ),
  })),
];
