/** A Linux binary's statements about where it runs. */
export interface Elf {
  readonly machine: "x86-64" | "aarch64" | "other";
  /** The loader that starts the binary; undefined for a library. */
  readonly interpreter: string | undefined;
  /** Libraries that the binary is linked with, by the names that the loader looks for. */
  readonly needed: readonly string[];
}

const machines: Readonly<Record<number, Elf["machine"]>> = { 0x3e: "x86-64", 0xb7: "aarch64" };
const segment = { load: 1, dynamic: 2, interpreter: 3 } as const;
const tag = { end: 0, needed: 1, strings: 5 } as const;

/** Reads the header of a 64-bit little-endian file, the format of all targets. */
export function readElf(file: Uint8Array): Elf {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1)
    throw new Error("this is no ELF file of 64 bits");
  const at = (offset: number): number => Number(view.getBigUint64(offset, true));
  const text = (offset: number): string => {
    const end = file.indexOf(0, offset);
    return new TextDecoder().decode(file.subarray(offset, end));
  };
  const size = view.getUint16(54, true);
  const segments = Array.from({ length: view.getUint16(56, true) }, (_, index) => {
    const start = at(32) + index * size;
    return {
      type: view.getUint32(start, true),
      offset: at(start + 8),
      address: at(start + 16),
      length: at(start + 32),
    };
  });
  /** Converts an address in memory to an offset in the file. */
  const offsetOf = (address: number): number => {
    const holder = segments.find(
      (each) => each.type === segment.load && address >= each.address && address < each.address + each.length,
    );
    if (holder === undefined) throw new Error("the ELF file refers to what it does not hold");
    return address - holder.address + holder.offset;
  };
  const interpreter = segments.find(({ type }) => type === segment.interpreter);
  const dynamic = segments.find(({ type }) => type === segment.dynamic);
  const entries: { readonly tag: number; readonly value: number }[] = [];
  for (
    let offset = dynamic?.offset ?? 0;
    dynamic !== undefined && offset < dynamic.offset + dynamic.length;
    offset += 16
  ) {
    const entry = { tag: at(offset), value: at(offset + 8) };
    if (entry.tag === tag.end) break;
    entries.push(entry);
  }
  const strings = entries.find((entry) => entry.tag === tag.strings);
  const names = strings === undefined ? 0 : offsetOf(strings.value);
  return {
    machine: machines[view.getUint16(18, true)] ?? "other",
    interpreter: interpreter === undefined ? undefined : text(interpreter.offset),
    needed: entries.filter((entry) => entry.tag === tag.needed).map(({ value }) => text(names + value)),
  };
}
