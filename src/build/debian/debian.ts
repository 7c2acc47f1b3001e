import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { foldersAbove, tar, type TarEntry } from "../tar.ts";

interface DebianPackage {
  /** The name of the binary and of the package. */
  readonly name: string;
  /** Debian's name of the architecture: amd64 or arm64. */
  readonly architecture: string;
  readonly binary: string;
  readonly version: string;
  readonly epoch: number;
  readonly outdir: string;
}

const folder = import.meta.dir;
/** A placeholder: the builder of a package answers for it. */
const maintainer = "Gatehouse <gatehouse@invalid>";

const about: Readonly<
  Record<string, { readonly summary: string; readonly more: string; readonly depends: string; readonly url: string }>
> = {
  gatehouse: {
    summary: "sign-in service of a web application, in one program",
    more: "It registers users, signs them in by password, passkey or provider, mails them\n what they need, and tells your application who is asking.",
    depends: "",
    url: "https://auth.example.com",
  },
  "gatehouse-admin": {
    summary: "pages for staff of the sign-in service Gatehouse",
    more: "It finds accounts, says why somebody can't sign in, and unlocks, disables and\n deletes them. It works on the data of the package gatehouse.",
    // The dependency has gatehouse configured first, so that the app that owns the database is released first.
    depends: "gatehouse (>= VERSION), ",
    url: "https://admin.auth.example.com",
  },
};

/** Writes a package for dpkg in the format of deb(5), and returns its name. */
export async function packDebian(item: DebianPackage): Promise<string> {
  const { name, architecture, binary, version, epoch, outdir } = item;
  const details = about[name];
  if (details === undefined) throw new Error(`${name} is no package`);
  const home = `usr/lib/${name}`;
  const doc = `usr/share/doc/${name}`;
  const beside = (await readdir(join(binary, ".."))).filter(
    (file) => file === `${name}.sha256` || file === `${name}.sig`,
  );
  const files: (TarEntry & { file: Uint8Array })[] = [
    { path: `${home}/${name}`, mode: 0o755, file: await Bun.file(binary).bytes() },
    ...(await Promise.all(
      beside
        .toSorted()
        .map(async (file) => ({ path: `${home}/${file}`, file: await Bun.file(join(binary, "..", file)).bytes() })),
    )),
    { path: `${doc}/copyright`, file: Buffer.from(await copyright(name)) },
    {
      path: `${doc}/changelog.gz`,
      file: Bun.gzipSync(changelog(name, version, epoch), { library: "libdeflate", level: 9 }),
    },
    { path: `usr/share/lintian/overrides/${name}`, file: await script("lintian", name, details.url) },
  ];
  const sums = files.map(({ path, file }) => `${new Bun.CryptoHasher("md5").update(file).digest("hex")}  ${path}\n`);
  const size = files.reduce((sum, { file }) => sum + Math.ceil(file.byteLength / 1024), files.length);
  const postrm = await script(`postrm.${name}`, name, details.url);
  const control = [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${size}`,
    `Depends: ${details.depends.replace("VERSION", version)}libc6 (>= 2.17), libgcc-s1`,
    "Recommends: systemd (>= 252), dbus, iproute2, procps",
    "Section: net",
    "Priority: optional",
    `Description: ${details.summary}`,
    ` ${details.more}`,
    "",
  ].join("\n");
  const entries: TarEntry[] = [
    { path: "control", file: Buffer.from(control) },
    { path: "md5sums", file: Buffer.from(sums.join("")) },
    { path: "postinst", mode: 0o755, file: await script("postinst", name, details.url) },
    { path: "postrm", mode: 0o755, file: postrm },
    { path: "prerm", mode: 0o755, file: await script("prerm", name, details.url) },
  ];
  const data = tar(dotted([...foldersAbove(files.map(({ path }) => path)), ...files]), epoch);
  const archive = ar(
    [
      ["debian-binary", Buffer.from("2.0\n")],
      ["control.tar.gz", gzip(tar(dotted(entries), epoch))],
      ["data.tar.gz", gzip(data)],
    ],
    epoch,
  );
  const path = join(outdir, `${name}_${version}_${architecture}.deb`);
  await Bun.write(path, archive);
  return basename(path);
}

async function script(file: string, app: string, url: string): Promise<Uint8Array> {
  const text = await Bun.file(join(folder, file)).text();
  return Buffer.from(text.replaceAll("@APP@", app).replaceAll("@URL@", url));
}

/** Puts `./` in front of every path and adds the root, as package tools expect. */
const dotted = (entries: readonly TarEntry[]): TarEntry[] => [
  { path: ".", folder: true },
  ...entries.map((entry) => ({ ...entry, path: `./${entry.path}` })),
];

async function copyright(name: string): Promise<string> {
  const words = await Bun.file(join(import.meta.dir, "../../..", "LICENSE")).text();
  const indented = words
    .trimEnd()
    .replaceAll(/^(?=.)/gm, " ")
    .replaceAll(/^$/gm, " .");
  return [
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
    "Upstream-Name: Gatehouse",
    `Comment: \`/usr/lib/${name}/${name} about --licenses\` shows the licences of all that the binary holds of others.`,
    "",
    "Files: *",
    `Copyright: ${/Copyright \(c\) (.*)/.exec(words)?.[1] ?? "the authors of Gatehouse"}`,
    "License: Expat",
    indented,
    "",
  ].join("\n");
}

const changelog = (name: string, version: string, epoch: number): string => {
  const date = new Date(epoch * 1000).toUTCString().replace("GMT", "+0000");
  return `${name} (${version}) stable; urgency=medium\n\n  * Release ${version}: see CHANGELOG.md of the sources.\n\n -- ${maintainer}  ${date}\n`;
};

/** Level 6: a higher one takes twice the time to save a hundredth. */
const gzip = (archive: Uint8Array<ArrayBuffer>): Uint8Array =>
  Bun.gzipSync(archive, { library: "libdeflate", level: 6 });

/** Wraps a package's parts in an archive of the ar(5) format of BSD and GNU. */
function ar(parts: readonly (readonly [name: string, content: Uint8Array])[], epoch: number): Uint8Array {
  const blocks = parts.flatMap(([name, content]) => [
    Buffer.from(
      `${name.padEnd(16)}${String(epoch).padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(content.byteLength).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.from(content.byteLength % 2 === 0 ? "" : "\n"),
  ]);
  return Buffer.concat([Buffer.from("!<arch>\n"), ...blocks]);
}
