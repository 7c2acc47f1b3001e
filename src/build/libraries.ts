import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "./checksums.ts";

/** The release of Debian that the packages are of. */
export const debian = { id: "debian", version: "12" } as const;

/** Packages of Debian 12 whose libraries go into images, with the SHA-256 for each architecture. */
const packages = {
  libc6: {
    source: "glibc",
    license: "LGPL-2.1-or-later AND GPL-2.0-or-later WITH GCC-exception-2.0",
    version: "2.36-9+deb12u14",
    amd64: "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf",
    arm64: "01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4",
  },
  "libgcc-s1": {
    source: "gcc-12",
    license: "GPL-3.0-or-later WITH GCC-exception-3.1",
    version: "12.2.0-14+deb12u1",
    amd64: "3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7",
    arm64: "576926b283613db80168ddf76380a3bd877602778cf0d226caa7bfbfa71eacf3",
  },
} as const;

export type Architecture = "amd64" | "arm64";

/** Returns what images hold of Debian. */
export const debianPackages = (architecture: Architecture) =>
  Object.entries(packages).map(([name, { source, license, version, [architecture]: sha256 }]) => ({
    name,
    source,
    license,
    version,
    architecture,
    sha256,
  }));

/** Fetches these packages with apt-get, which must be installed, and unpacks them, once. Returns the folder that holds them all. */
export async function fetchLibraries(architecture: Architecture, cache: string): Promise<string> {
  const folder = join(cache, "libraries", architecture);
  const unpacked = join(folder, "unpacked");
  await mkdir(unpacked, { recursive: true });
  for (const [name, pin] of Object.entries(packages)) {
    const whole = async (): Promise<string | undefined> => {
      const file = (await readdir(folder)).find((each) => each.startsWith(`${name}_`) && each.endsWith(".deb"));
      return file !== undefined && (await sha256(join(folder, file))) === pin[architecture] ? file : undefined;
    };
    let found = await whole();
    if (found === undefined) {
      download(folder, architecture, `${name}=${pin.version}`);
      found = await whole();
    }
    if (found === undefined)
      throw new Error(
        `${name} ${pin.version} for ${architecture} is not the package that src/build/libraries.ts names`,
      );
    run(["dpkg-deb", "--extract", join(folder, found), unpacked], folder);
  }
  return unpacked;
}

function download(folder: string, architecture: Architecture, wanted: string): void {
  if (Bun.which("apt-get") === null)
    throw new Error("images hold libraries of Debian 12: build them on Debian, or leave linux-x64 and linux-arm64 out");
  // apt gets a separate state, so that the building machine need not know the other architecture.
  const own = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State=${folder}/state`,
    `Dir::State::status=${folder}/status`,
    `Dir::Cache=${folder}/cache`,
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  run(["mkdir", "-p", "state/lists/partial", "cache/archives/partial"], folder);
  run(["touch", "status"], folder);
  run(["apt-get", ...own, "-qq", "update"], folder);
  run(["apt-get", ...own, "-qq", "download", wanted], folder);
}

function run(cmd: string[], cwd: string): void {
  const { success, stderr } = Bun.spawnSync({ cmd, cwd, stdout: "ignore", stderr: "pipe", timeout: 300_000 });
  if (success) return;
  throw new Error(`${cmd[0]} failed: ${stderr.toString().trim()}; newer packages are named in src/build/libraries.ts`);
}
