export type TarEntry = {
  /** The path from the archive's root, without a leading slash. */
  readonly path: string;
  readonly mode?: number;
  readonly owner?: number;
} & ({ readonly file: Uint8Array } | { readonly folder: true });

const blockSize = 512;

/** Writes an archive in the ustar format of POSIX 1003.1. All entries have the same time and belong to root, or to the given number. */
export function tar(entries: readonly TarEntry[], epoch: number): Uint8Array<ArrayBuffer> {
  const blocks = entries.flatMap((entry) => {
    const content = "file" in entry ? entry.file : new Uint8Array();
    return [header(entry, content.byteLength, epoch), content, new Uint8Array(padding(content.byteLength))];
  });
  return new Uint8Array(Buffer.concat([...blocks, new Uint8Array(2 * blockSize)]));
}

const padding = (length: number): number => (blockSize - (length % blockSize)) % blockSize;

function header(entry: TarEntry, length: number, epoch: number): Uint8Array {
  const block = Buffer.alloc(blockSize);
  const isFolder = "folder" in entry;
  const name = isFolder ? `${entry.path}/` : entry.path;
  if (Buffer.byteLength(name) > 100) throw new Error(`the path ${name} is too long for an archive`);
  const octal = (value: number, at: number, width: number): void => {
    block.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at);
  };
  block.write(name, 0);
  octal(entry.mode ?? (isFolder ? 0o755 : 0o644), 100, 8);
  octal(entry.owner ?? 0, 108, 8);
  octal(entry.owner ?? 0, 116, 8);
  octal(length, 124, 12);
  octal(epoch, 136, 12);
  block.fill(" ", 148, 156);
  block.write(isFolder ? "5" : "0", 156);
  block.write("ustar\u000000", 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return block;
}

/** Returns the folders above these paths, each once and before its contents. */
export function foldersAbove(paths: readonly string[]): TarEntry[] {
  const folders = paths.flatMap((path) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  });
  return [...new Set(folders)].toSorted().map((path) => ({ path, folder: true }));
}
