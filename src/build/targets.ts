import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import runtimes from "./runtimes/package.json" with { type: "json" };

interface Target {
  readonly compile: Bun.Build.CompileTarget;
  readonly runtime: keyof typeof runtimes.dependencies;
  readonly addon: keyof typeof runtimes.dependencies;
  readonly machine: "x86-64" | "aarch64";
  readonly libc: "glibc" | "musl";
}

/**
 * The machines that binaries are made for. Those for x64 also run without AVX2: Bun has two runtimes for x64, which no longer differ, and
 * `baseline` is used.
 */
export const targets = {
  "linux-x64": {
    compile: "bun-linux-x64-baseline",
    runtime: "@oven/bun-linux-x64-baseline",
    addon: "@node-rs/argon2-linux-x64-gnu",
    machine: "x86-64",
    libc: "glibc",
  },
  "linux-x64-musl": {
    compile: "bun-linux-x64-baseline-musl",
    runtime: "@oven/bun-linux-x64-musl-baseline",
    addon: "@node-rs/argon2-linux-x64-musl",
    machine: "x86-64",
    libc: "musl",
  },
  "linux-arm64": {
    compile: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64",
    addon: "@node-rs/argon2-linux-arm64-gnu",
    machine: "aarch64",
    libc: "glibc",
  },
  "linux-arm64-musl": {
    compile: "bun-linux-arm64-musl",
    runtime: "@oven/bun-linux-aarch64-musl",
    addon: "@node-rs/argon2-linux-arm64-musl",
    machine: "aarch64",
    libc: "musl",
  },
} as const satisfies Readonly<Record<string, Target>>;

export type TargetName = keyof typeof targets;

export const isTarget = (name: string): name is TargetName => Object.hasOwn(targets, name);

/** The parts of a binary besides its own code. */
export interface Parts {
  readonly compile: Bun.Build.CompileTarget;
  /** The path of the Bun that the binary begins with. */
  readonly runtime: string;
  /** The path of the native code that hashes passwords. */
  readonly addon: string;
}

/**
 * Fetches the runtimes and addons of all targets, once. A lockfile beside their list has their digests, which `bun install` compares.
 * Throws, naming what is missing, if a registry lacks one.
 */
export async function fetchParts(cache: string): Promise<(name: TargetName) => Parts> {
  checkVersions();
  const folder = join(cache, "runtimes");
  await mkdir(folder, { recursive: true });
  for (const file of ["package.json", "bun.lock"]) {
    await Bun.write(join(folder, file), Bun.file(join(import.meta.dir, "runtimes", file)));
  }
  const fetched = Bun.spawnSync({
    cmd: [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts", "--cpu=*", "--os=*"],
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
    timeout: 600_000,
  });
  if (!fetched.success) throw new Error(`the runtimes can't be had: ${fetched.stderr.toString().trim()}`);
  return (name) => {
    const { compile, runtime, addon } = targets[name];
    return {
      compile,
      runtime: join(folder, "node_modules", runtime, "bin", "bun"),
      addon: join(folder, "node_modules", addon, `${addon.replace("@node-rs/argon2-", "argon2.")}.node`),
    };
  };
}

/** Throws unless all parts have the versions that the tests run with. */
function checkVersions(): void {
  for (const [name, version] of Object.entries(runtimes.dependencies)) {
    const wanted = name.startsWith("@oven/") ? manifest.engines.bun : manifest.dependencies["@node-rs/argon2"];
    if (version !== wanted) throw new Error(`src/build/runtimes/package.json has ${name} ${version}, not ${wanted}`);
  }
}
