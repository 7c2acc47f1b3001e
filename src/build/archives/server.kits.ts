import { createHash } from "node:crypto";
import { join } from "node:path";
import { zip, type ZipEntry } from "./zip.ts";

const sources = join(import.meta.dir, "../../kits");
const licence = join(import.meta.dir, "../../..", "LICENSE");
const goModule = "gatehouse.internal/gatehouse";

const text = (path: string, content: string): ZipEntry => ({ path, file: new TextEncoder().encode(content) });
const copy = async (path: string, from: string): Promise<ZipEntry> => ({ path, file: await Bun.file(from).bytes() });

/** Packs what servers in other languages install into a folder. Nothing is installed for it: a wheel and a Go module are archives. */
export const packServerKits = (folder: string, version: string): Promise<readonly string[]> =>
  Promise.all([packWheel(folder, version), packGoModule(folder, version)]);

async function write(path: string, entries: readonly ZipEntry[]): Promise<string> {
  await Bun.write(path, zip(entries));
  return path;
}

/** Packs the module for Python as the specification of binary distributions has it, version 1.0. Resolves to its path. */
export async function packWheel(folder: string, version: string): Promise<string> {
  const facts = `gatehouse_auth-${version}.dist-info`;
  const metadata = [
    "Metadata-Version: 2.4",
    "Name: gatehouse-auth",
    `Version: ${version}`,
    "Summary: Asks a Gatehouse who sends a request, in ASGI, Django and Flask.",
    "License-Expression: MIT",
    "License-File: LICENSE",
    "Requires-Python: >=3.9",
    "Description-Content-Type: text/markdown",
    "",
    await Bun.file(join(sources, "python", "README.md")).text(),
  ];
  const wheel = ["Wheel-Version: 1.0", "Generator: gatehouse", "Root-Is-Purelib: true", "Tag: py3-none-any", ""];
  const entries = [
    await copy("gatehouse_auth/__init__.py", join(sources, "python", "gatehouse_auth", "__init__.py")),
    text("gatehouse_auth/py.typed", ""),
    text(`${facts}/METADATA`, metadata.join("\n")),
    text(`${facts}/WHEEL`, wheel.join("\n")),
    await copy(`${facts}/licenses/LICENSE`, licence),
  ];
  const lines = entries.map(({ path, file }) => {
    const digest = createHash("sha256").update(file).digest("base64url");
    return `${path},sha256=${digest},${file.byteLength}\n`;
  });
  const record = text(`${facts}/RECORD`, `${lines.join("")}${facts}/RECORD,,\n`);
  return write(join(folder, `gatehouse_auth-${version}-py3-none-any.whl`), [...entries, record]);
}

/**
 * Packs the module for Go as proxies of modules serve it: paths begin with the module and its version (Go Modules Reference, Module zip
 * files). Resolves to its path.
 */
export async function packGoModule(folder: string, version: string): Promise<string> {
  const prefix = `${goModule}@v${version}`;
  const names = ["README.md", "gatehouse.go", "go.mod"];
  const entries = names.map((name) => copy(`${prefix}/${name}`, join(sources, "go", name)));
  const files = await Promise.all([copy(`${prefix}/LICENSE`, licence), ...entries]);
  return write(join(folder, `gatehouse-go-${version}.zip`), files);
}
