import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readElf } from "../../src/build/elf.ts";
import { writeOverview } from "../../src/build/overview.ts";
import { makeRelease } from "../../src/build/release.ts";
import { packExample } from "../../src/build/archives/example.ts";
import { packServerKits } from "../../src/build/archives/server.kits.ts";
import { compile } from "../../src/build/compile.ts";
import { packImage } from "../../src/build/image/image.ts";
import { fetchParts, targets, type TargetName } from "../../src/build/targets.ts";

const root = join(import.meta.dir, "..", "..");
const cache = join(root, "node_modules", ".cache", "gatehouse");
const [amd64, arm64] = ["linux-x64", "linux-arm64"] as const;
const version = "1.2.3";
const epoch = 1_700_000_000;
const constants = {
  GATEHOUSE_VERSION: version,
  GATEHOUSE_REVISION: "abc123",
  GATEHOUSE_ACCOUNT_BUNDLE: {},
  GATEHOUSE_NOTICES: "",
};
/** Those of this machine, which is a Debian too: of the packages that a release takes, a mirror may have newer ones by now. */
const libraries = (): Promise<string> => Promise.resolve("/");
const missing = ["dpkg-deb", "ssh-keygen"].filter((program) => Bun.which(program) === null);

let outdir = "";
/** One command; resolves to its output, and throws where it fails. */
async function sh(script: string, cwd = outdir): Promise<string> {
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], {
    cwd,
    stdout: "pipe",
    stderr: "pipe",
    timeout: 60_000,
  });
  const [output, complaints, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${script}\nended with ${code}: ${output}${complaints}`);
  return output;
}

describe.skipIf(missing.length > 0)(`a release${missing.length > 0 ? ` (needs ${missing.join(", ")})` : ""}`, () => {
  beforeAll(async () => {
    outdir = await mkdtemp(join(tmpdir(), "gatehouse-release-"));
    await sh("ssh-keygen -q -t ed25519 -N '' -C releases -f key");
    await makeRelease({
      outdir,
      cache,
      binaries: { gatehouse: "src/main.ts" },
      targets: [amd64],
      constants: {
        GATEHOUSE_VERSION: version,
        GATEHOUSE_REVISION: "abc123",
        GATEHOUSE_ACCOUNT_BUNDLE: {},
        GATEHOUSE_NOTICES: "",
      },
      components: [],
      version,
      revision: "abc123",
      epoch,
      libraries,
      besides: [
        ...(await packServerKits(join(outdir, "kits"), version)),
        await packExample(join(outdir, "kits"), version),
      ].map((path) => relative(outdir, path)),
      key: join(outdir, "key"),
    });
  }, 180_000);
  afterAll(() => rm(outdir, { recursive: true, force: true }));

  test("A-62 has for each machine a binary with that machine's runtime and native code", async () => {
    const parts = await fetchParts(cache);
    const binary = (target: TargetName): string => join(outdir, target, "gatehouse");
    await compile({ entrypoint: "src/main.ts", outfile: binary(arm64), constants, parts: parts(arm64) });
    for (const target of [amd64, arm64]) {
      const bytes = await Bun.file(binary(target)).bytes();
      // A path of the machine that builds would make every clone another binary, and be looked into on the host.
      expect(Buffer.from(bytes.buffer).includes(root)).toBe(false);
      expect(readElf(bytes)).toMatchObject({
        machine: targets[target].machine,
        interpreter: expect.stringContaining("ld-linux"),
      });
      for (const other of [amd64, arm64]) {
        const addon = await Bun.file(parts(other).addon).bytes();
        expect(Buffer.from(bytes.buffer).includes(addon)).toBe(other === target);
      }
    }
  });

  test("A-63 has checksums of all of it, and signatures of each binary and of the checksums", async () => {
    expect(await sh("sha256sum --check --strict SHA256SUMS | wc -l")).toBe("12\n");
    await sh('echo "* $(cat key.pub)" > signers');
    for (const file of [`${amd64}/gatehouse`, "SHA256SUMS"]) {
      const verify = `ssh-keygen -Y verify -f signers -I anybody -n gatehouse-release -s ${file}.sig`;
      expect(await sh(`${verify} < ${file}`)).toStartWith("Good");
      expect(sh(`head -c 100 ${file} | ${verify}`)).rejects.toThrow();
    }
  });

  test("A-63 A-67 says in README.txt of everything that is published what it is, and publishes nothing without words", async () => {
    const readme = await Bun.file(join(outdir, "README.txt")).text();
    const listed = readme
      .split("\n")
      .filter((line) => line.startsWith("  "))
      .map((line) => line.trim().split(/\s{2,}/))
      // What has no words beside it is a command.
      .filter(([, words]) => words !== undefined);
    const sums = (await sh("cut -c67- SHA256SUMS")).trim().split("\n");
    expect(listed.map(([path]) => path ?? "")).toEqual(sums.filter((path) => path !== "README.txt"));
    expect(listed.filter((line) => line.length !== 2)).toEqual([]);
    expect(readme).toContain("are mended until 2024-11-13 at least");
    const stray = { outdir, files: ["notes.txt"], version, revision: "abc123", epoch };
    expect(writeOverview(stray)).rejects.toThrow("notes.txt is published and has no words");
  });

  test("A-64 has an image that holds what the binary needs and nothing else, for a user that is not root", async () => {
    const { images, blob } = await openImage(`gatehouse-${version}.oci.tar`);
    const { layers = [], settings, rootfs = [] } = images[0] ?? {};
    expect(settings).toMatchObject({ User: "65532:65532", Entrypoint: ["/usr/bin/gatehouse"] });
    await mkdir(join(outdir, "image"));
    for (const [place, layer] of layers.entries()) {
      expect(rootfs[place]).toBe(`sha256:${(await sh(`gunzip < ${blob(layer)} | sha256sum`)).slice(0, 64)}`);
      await sh(`tar -xzpf ${blob(layer)} --numeric-owner`, join(outdir, "image"));
    }
    const files = (await sh("find . -type f", join(outdir, "image"))).trim().split("\n");
    // What scanners of images read, in place of the files of a package manager.
    const ofScanners = ["./etc/os-release", ...["libc6", "libgcc-s1"].map((name) => `./var/lib/dpkg/status.d/${name}`)];
    const ours = [
      "./etc/group",
      "./etc/passwd",
      "./usr/bin/gatehouse",
      "./usr/share/doc/libc6/copyright",
      ...ofScanners,
    ];
    expect(files.filter((file) => !file.startsWith("./lib")).toSorted()).toEqual(ours.toSorted());
    expect(files).toHaveLength(ours.length + 7);
  });

  test("A-64 is one image for both machines, the same from the same files", async () => {
    // A small program in the place of the binary.
    const binary = "/bin/true";
    const binaries = [
      { architecture: "amd64", binary },
      { architecture: "arm64", binary },
    ] as const;
    const pack = async (): Promise<string> => {
      const name = await packImage({ name: "small", binaries, version, revision: "abc123", epoch, outdir, libraries });
      return (await sh(`sha256sum ${name}`)).slice(0, 64);
    };
    expect(await pack()).toBe(await pack());
    const { images } = await openImage(`small-${version}.oci.tar`);
    expect(images.map(({ platform }) => platform)).toEqual([
      { architecture: "amd64", os: "linux" },
      { architecture: "arm64", os: "linux" },
    ]);
  });

  const cantMount =
    process.getuid?.() !== 0 || Bun.spawnSync(["unshare", "--mount", "--pid", "--fork", "true"]).exitCode !== 0;
  test.skipIf(cantMount)(`A-64 runs in its image as that user${cantMount ? " (needs root)" : ""}`, async () => {
    const folder = join(outdir, "image");
    await mkdir(join(folder, "proc"));
    await mkdir(join(folder, "dev"));
    const inside = (command: string): Promise<string> =>
      sh(
        `unshare --mount --pid --fork bash -euc '
          mount -t proc proc proc; mount -t tmpfs tmpfs dev; mknod -m 666 dev/null c 1 3; mknod -m 666 dev/urandom c 1 9
          cd var/lib/gatehouse
          exec env -i APP_ENV=testing DB_DATABASE=/var/lib/gatehouse/app.db "$(command -v chroot)" --userspec=65532:65532 ${folder} ${command}'`,
        folder,
      );
    expect(await inside("/usr/bin/gatehouse --version")).toBe(`gatehouse ${version} (abc123)\n`);
    await inside("/usr/bin/gatehouse migrate");
    // The hash is made by the native code.
    expect(
      await inside('/usr/bin/gatehouse auth:create-user --email ada@example.test <<<"a long walk by the sea"'),
    ).toStartWith("created ");
    expect(await readdir(join(folder, "var/lib/gatehouse"))).toContain("app.db");
  });

  test("A-65 has a package for Debian that says what it needs, and holds the binary with its checksum and signature", async () => {
    const file = `gatehouse_${version}_amd64.deb`;
    expect(await sh(`dpkg-deb --field ${file} Package Version Architecture Depends`)).toBe(
      `Package: gatehouse\nVersion: ${version}\nArchitecture: amd64\nDepends: libc6 (>= 2.17), libgcc-s1\n`,
    );
    await sh(`dpkg-deb --extract ${file} deb`);
    const names = ["gatehouse", "gatehouse.sha256", "gatehouse.sig"];
    expect((await readdir(join(outdir, "deb/usr/lib/gatehouse"))).toSorted()).toEqual(names);
    for (const name of names) await sh(`cmp deb/usr/lib/gatehouse/${name} ${amd64}/${name}`);
  });
});

/** What an archive of images says of each. */
async function openImage(archive: string) {
  const layout = await mkdtemp(join(outdir, "layout-"));
  await sh(`tar -xf ${archive} -C ${layout}`);
  const blob = (digest: string): string => join(layout, "blobs", digest.replace(":", "/"));
  const read = async <Shape extends TSchema>(shape: Shape, path: string): Promise<Static<Shape>> =>
    Value.Parse(shape, await Bun.file(path).json());
  const {
    manifests: [index],
  } = await read(Index, join(layout, "index.json"));
  const { manifests } = await read(Index, blob(index?.digest ?? ""));
  const images = await Promise.all(
    manifests.map(async ({ digest, platform }) => {
      const { config, layers } = await read(Manifest, blob(digest));
      const { config: settings, rootfs } = await read(ImageConfig, blob(config.digest));
      return { platform, settings, layers: layers.map((layer) => layer.digest), rootfs: rootfs.diff_ids };
    }),
  );
  return { images, blob };
}

const Blob = Type.Object({ digest: Type.String() });
const Platform = Type.Object({ architecture: Type.String(), os: Type.String() });
const Index = Type.Object({
  manifests: Type.Array(Type.Intersect([Blob, Type.Object({ platform: Type.Optional(Platform) })])),
});
const Manifest = Type.Object({ config: Blob, layers: Type.Array(Blob) });
const ImageConfig = Type.Object({
  config: Type.Record(Type.String(), Type.Unknown()),
  rootfs: Type.Object({ diff_ids: Type.Array(Type.String()) }),
});
