import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  foldPassword,
  packFilter,
  readFilter,
  tableLength,
  traceOf,
  type FilterShape,
} from "../auth/password/breached.filter.ts";

// Writes the filter of breached passwords for the binaries, from lists of one password a line, the most used first. The lists are not in
// this repository; CONTRIBUTING.md names their sources. The same lists give the same bytes.

/** How many passwords a filter of less than 3,000,000 bytes holds. */
const wanted = 1_300_000;
const output = join(import.meta.dir, "../auth/password/breached.passwords.bin");
/** Lengths of listed passwords. Every policy refuses shorter ones for their length, and longer ones are no passwords here. */
const lengths = { least: 8, most: 256 };

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length === 0) {
    console.error("Usage: bun run make:breached LIST...\nEach list is a text file, or one compressed by gzip.");
    process.exit(2);
  }
  const passwords = await gather(positionals, wanted);
  if (passwords.length < wanted) {
    console.error(
      `The lists have ${passwords.length} passwords of ${lengths.least} characters and more; ${wanted} are needed.`,
    );
    process.exit(1);
  }
  const filter = makeFilter(passwords);
  await Bun.write(output, filter);
  console.log(`${output}: ${passwords.length} passwords, ${filter.byteLength} bytes`);
}

/** Reads the first passwords of the lists, folded and without repetition. */
async function gather(paths: readonly string[], most: number): Promise<readonly string[]> {
  const passwords = new Set<string>();
  for (const path of paths) {
    const bytes = await Bun.file(path).bytes();
    const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = new TextDecoder().decode(isCompressed ? Bun.gunzipSync(bytes) : bytes);
    for (const line of text.split(/\r?\n/)) {
      if (passwords.size === most) return [...passwords];
      const length = [...line].length;
      const isText = !line.includes("\u{fffd}");
      if (isText && length >= lengths.least && length <= lengths.most) passwords.add(foldPassword(line));
    }
  }
  return [...passwords];
}

/** Returns the file of a filter for these folded passwords, which must all differ. */
export function makeFilter(passwords: readonly string[]): Uint8Array {
  const segmentLength = Math.max(4, 2 ** Math.floor(Math.log(passwords.length) / Math.log(3.33) + 2.25));
  const sizeFactor = Math.max(1.125, 0.875 + (0.25 * Math.log(1_000_000)) / Math.log(Math.max(passwords.length, 2)));
  const firstSegments = Math.max(1, Math.ceil((passwords.length * sizeFactor) / segmentLength) - 2);
  for (let seed = 1; seed <= 100; seed += 1) {
    const shape = { seed, segmentLength, firstSegments };
    const table = fill(passwords, shape);
    if (table === undefined) continue;
    const file = packFilter(passwords.length, shape, table);
    const filter = readFilter(file);
    const missing = passwords.find((password) => !filter.has(password));
    if (missing !== undefined) throw new Error(`the filter has lost ${JSON.stringify(missing)}`);
    return file;
  }
  throw new Error("the passwords fit into no filter: does one of them come twice?");
}

/** Fills the table. Returns undefined if passwords of this shape block each other; another seed then helps. */
function fill(passwords: readonly string[], shape: FilterShape): Uint16Array | undefined {
  const traces = passwords.map((password) => traceOf(password, shape));
  const taken = new Uint32Array(tableLength(shape));
  // The XOR of the indexes of all passwords at a place: when only one is left, it is that password's index.
  const takers = new Uint32Array(taken.length);
  const toggle = (index: number, step: 1 | -1): readonly number[] => {
    const places = traces[index]?.places ?? [];
    for (const place of places) {
      taken[place] = (taken[place] ?? 0) + step;
      takers[place] = (takers[place] ?? 0) ^ index;
    }
    return places;
  };
  for (const index of traces.keys()) toggle(index, 1);

  // A password alone at one of its places can be settled last, whatever the others are, so it is taken out first.
  const alone = [...taken.keys()].filter((place) => taken[place] === 1);
  const order: { readonly index: number; readonly place: number }[] = [];
  for (let place = alone.pop(); place !== undefined; place = alone.pop()) {
    if (taken[place] !== 1) continue;
    const index = takers[place] ?? 0;
    order.push({ index, place });
    for (const freed of toggle(index, -1)) if (taken[freed] === 1) alone.push(freed);
  }
  if (order.length < passwords.length) return undefined;

  const table = new Uint16Array(taken.length);
  for (const { index, place } of order.toReversed()) {
    const trace = traces[index];
    const others = trace?.places.reduce((sum, other) => (other === place ? sum : sum ^ (table[other] ?? 0)), 0) ?? 0;
    table[place] = (trace?.fingerprint ?? 0) ^ others;
  }
  return table;
}
