import { basename, join } from "node:path";
import type { Architecture } from "../libraries.ts";
import { foldersAbove, tar, type TarEntry } from "../tar.ts";
import { baseFiles, home, user } from "./base.ts";

interface Image {
  readonly name: string;
  readonly binaries: readonly { readonly architecture: Architecture; readonly binary: string }[];
  readonly version: string;
  readonly revision: string;
  readonly epoch: number;
  readonly outdir: string;
  /** Returns the folder of an architecture's C library, laid out as on Debian. */
  readonly libraries: (architecture: Architecture) => Promise<string>;
}

const types = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
} as const;

interface Blob {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Configured {
  readonly name: string;
  readonly architecture: Architecture;
  readonly created: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly layers: readonly Uint8Array[];
}

const configOf = ({ name, architecture, created, labels, layers }: Configured) => ({
  created,
  architecture,
  os: "linux",
  config: {
    User: `${user}:${user}`,
    // APP_ENV must be set: a binary without it assumes a developer's machine and listens on loopback alone.
    Env: [
      "PATH=/usr/bin",
      "APP_ENV=production",
      "API_HTTP_HOST=0.0.0.0",
      `DB_DATABASE=/${home}/app.db`,
      `STORAGE_PATH=/${home}/storage`,
    ],
    Entrypoint: [`/usr/bin/${name}`],
    WorkingDir: `/${home}`,
    Volumes: { [`/${home}`]: {} },
    ExposedPorts: { [name === "gatehouse" ? "3000/tcp" : "3001/tcp"]: {} },
    StopSignal: "SIGTERM",
    Labels: labels,
  },
  rootfs: {
    type: "layers",
    diff_ids: layers.map((layer) => `sha256:${new Bun.CryptoHasher("sha256").update(layer).digest("hex")}`),
  },
  history: [
    { created, created_by: "build.ts", comment: "the C library, a user, folders" },
    { created, created_by: "build.ts", comment: name },
  ],
});

/** Writes images for all architectures into one archive in the OCI Image Layout. Returns its name. */
export async function packImage(image: Image): Promise<string> {
  const { name, version, revision, epoch, outdir } = image;
  const blobs = new Map<string, Uint8Array>();
  const keep = (mediaType: string, content: Uint8Array): Blob => {
    const hex = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    blobs.set(`blobs/sha256/${hex}`, content);
    return { mediaType, digest: `sha256:${hex}`, size: content.byteLength };
  };
  const json = (mediaType: string, value: unknown): Blob => keep(mediaType, Buffer.from(JSON.stringify(value)));
  const created = new Date(epoch * 1000).toISOString();
  const labels = {
    "org.opencontainers.image.created": created,
    "org.opencontainers.image.licenses": "MIT",
    "org.opencontainers.image.revision": revision,
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.version": version,
  };
  const manifests = [];
  for (const { architecture, binary } of image.binaries) {
    const program = await Bun.file(binary).bytes();
    const libraries = await image.libraries(architecture);
    const layers = [
      tar(await baseFiles(program, libraries, architecture), epoch),
      tar([...foldersAbove([`usr/bin/${name}`]), { path: `usr/bin/${name}`, mode: 0o755, file: program }], epoch),
    ];
    const config = json(types.config, configOf({ name, architecture, created, labels, layers }));
    const packed = layers.map((layer) => keep(types.layer, Bun.gzipSync(layer, { library: "libdeflate", level: 6 })));
    const manifest = json(types.manifest, {
      schemaVersion: 2,
      mediaType: types.manifest,
      config,
      layers: packed,
      annotations: labels,
    });
    manifests.push({ ...manifest, platform: { architecture, os: "linux" } });
  }
  const index = json(types.index, { schemaVersion: 2, mediaType: types.index, manifests });
  const annotations = {
    "org.opencontainers.image.ref.name": `${name}:${version}`,
    "io.containerd.image.name": `localhost/${name}:${version}`,
  };
  const named = { ...index, annotations };
  const files: TarEntry[] = [
    { path: "oci-layout", file: Buffer.from(JSON.stringify({ imageLayoutVersion: "1.0.0" })) },
    {
      path: "index.json",
      file: Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests: [named] })),
    },
    ...[...blobs].map(([path, file]) => ({ path, file })),
  ];
  const path = join(outdir, `${name}-${version}.oci.tar`);
  await Bun.write(path, tar([...foldersAbove(files.map((file) => file.path)), ...files], epoch));
  return basename(path);
}
