import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { secretsEqual } from "../../core/crypto.ts";

/** The largest page number by the file format of SQLite. */
const mostPageNumber = 0xff_ff_ff_fe;

/**
 * The first line of a file of continuous copies, in JSON. Pages of the database follow it, then the HMAC-SHA-256 of both by a key of the
 * installation, so that nobody else can make such a file. In `pages` each page comes after its number (four bytes, big-endian); `copy` is
 * the whole database file. Release 0.2.0 made format 1, which ends in a SHA-256 in place of the HMAC.
 */
const Head = Type.Object({
  gatehouse: Type.Union([Type.Literal("pages"), Type.Literal("copy")]),
  format: Type.Union([Type.Literal(1), Type.Literal(2)]),
  /** The name of a series of changes without a gap. */
  series: Type.String({ maxLength: 64 }),
  /** The state that the file leads to, as the number of files of pages in the series up to it. */
  sequence: Type.Integer({ minimum: 0 }),
  /** Everything that was committed before this time is part of the state. */
  at: Type.Integer({ minimum: 0 }),
  page_size: Type.Integer({ minimum: 512, maximum: 65_536 }),
  page_count: Type.Integer({ minimum: 0, maximum: mostPageNumber }),
  /** How many pages the file holds. */
  pages: Type.Integer({ minimum: 0 }),
  /** The last 32 bytes of the preceding file of pages, in hexadecimal; for a copy, those of the file that led to the same state. */
  after: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type Head = Static<typeof Head>;

const mostHeadBytes = 4 * 1024;
const digestBytes = 32;
const chunkPages = 16;

export class DamagedCopy extends Error {
  constructor(name: string, why: string, cause?: unknown) {
    super(`${name} is damaged: ${why}`, { cause });
    this.name = "DamagedCopy";
  }
}

const hasherOf = ({ format }: Head, key: Uint8Array) =>
  format === 1 ? new Bun.CryptoHasher("sha256") : new Bun.CryptoHasher("sha256", key);

/** Options of `encode`. It calls `digest` when all of the file has been taken. */
interface Encoding {
  readonly key: Uint8Array;
  readonly digest?: (hex: string) => void;
}

export function encode(
  head: Head,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { key, digest }: Encoding,
): ReadableStream<Uint8Array> {
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    const hasher = hasherOf(head, key);
    const first = Buffer.from(`${JSON.stringify(head)}\n`);
    hasher.update(first);
    yield first;
    for await (const chunk of body) {
      hasher.update(chunk);
      yield chunk;
    }
    const sum = hasher.digest();
    digest?.(sum.toString("hex"));
    yield sum;
  }
  return streamOf(bytes());
}

function streamOf(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Yields the pages as they stand in a file, in the order of their numbers. */
export function* pagesInOrder(pages: ReadonlyMap<number, Uint8Array>): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  for (const number of [...pages.keys()].toSorted((a, b) => a - b)) {
    const name = new Uint8Array(4);
    new DataView(name.buffer).setUint32(0, number);
    parts.push(name, pages.get(number) ?? new Uint8Array());
    if (parts.length < 2 * chunkPages) continue;
    yield Buffer.concat(parts);
    parts = [];
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/** Hands out the bytes of a stream in the pieces that are asked for, and hashes them. */
function createPieces(name: string, stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  let hasher: Bun.CryptoHasher | undefined;
  let rest: Uint8Array = new Uint8Array();

  async function more(): Promise<boolean> {
    try {
      const { done, value } = await reader.read();
      if (done) return false;
      rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
      return true;
    } catch (error) {
      throw new DamagedCopy(name, error instanceof Error ? error.message : String(error), error);
    }
  }

  async function exactly(count: number): Promise<Uint8Array> {
    while (rest.length < count) if (!(await more())) throw new DamagedCopy(name, "it ends too early");
    const piece = rest.subarray(0, count);
    rest = rest.subarray(count);
    return piece;
  }

  return {
    async take(count: number): Promise<Uint8Array> {
      const piece = await exactly(count);
      hasher?.update(piece);
      return piece;
    },
    /** Begins the hash with the first line, which says how the file is hashed. */
    startWith(line: string, by: Bun.CryptoHasher): void {
      hasher = by.update(line);
    },
    async line(): Promise<string> {
      let end = rest.indexOf(10);
      while (end === -1 && rest.length <= mostHeadBytes && (await more())) end = rest.indexOf(10);
      if (end === -1 || end > mostHeadBytes) throw new DamagedCopy(name, "it does not begin as such a file does");
      return Buffer.from(await this.take(end + 1)).toString("utf8");
    },
    /** Throws unless the rest of the stream is the digest of what was taken. Resolves to the digest. */
    async end(): Promise<string> {
      const own = hasher?.digest("hex") ?? "";
      if (!secretsEqual(Buffer.from(await exactly(digestBytes)).toString("hex"), own))
        throw new DamagedCopy(name, "it is not what this installation has put there");
      while (rest.length === 0 && (await more()));
      if (rest.length > 0) throw new DamagedCopy(name, "more comes after its end");
      return own;
    },
    cancel: (): Promise<void> => reader.cancel().catch(() => undefined),
  };
}

/** Takes each page of a file with its offset in the database file. */
export type PageSink = (content: Uint8Array, at: number) => Promise<unknown>;

interface Decoding {
  readonly key: Uint8Array;
  /** Throws where the head is not that of the file that was looked for. */
  readonly check: (head: Head) => void;
  readonly sink: PageSink;
}

/**
 * Reads a file of continuous copies to its end and checks it. The sink gets every page before that, and nobody may trust them until then.
 */
export async function decode(
  name: string,
  stream: ReadableStream<Uint8Array>,
  { key, check, sink }: Decoding,
): Promise<{ readonly head: Head; readonly digest: string }> {
  const pieces = createPieces(name, stream);
  try {
    const line = await pieces.line();
    const head = readHead(name, line);
    check(head);
    pieces.startWith(line, hasherOf(head, key));
    const { page_size: size } = head;
    for (let index = 0; index < head.pages; index += 1) {
      const number =
        head.gatehouse === "copy" ? index + 1 : new DataView(Uint8Array.from(await pieces.take(4)).buffer).getUint32(0);
      const content = await pieces.take(size);
      // Pages behind the end of a database that has become shorter are of no use.
      if (number >= 1 && number <= head.page_count) await sink(content, (number - 1) * size);
    }
    return { head, digest: await pieces.end() };
  } finally {
    await pieces.cancel();
  }
}

function readHead(name: string, line: string): Head {
  try {
    return Value.Parse(Head, JSON.parse(line));
  } catch (error) {
    throw new DamagedCopy(name, "its first line is none of such a file", error);
  }
}
