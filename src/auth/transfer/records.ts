export interface SourceRecord {
  /** The line that the record begins in, from 1. */
  readonly line: number;
  /** Undefined where the text is longer than any account. */
  readonly text: string | undefined;
  /** How many bytes of the file were read when the record was found. */
  readonly bytesRead: number;
}

/** A file with one JSON object a line, or JSON documents whose objects stand in an array: at the top, or under the key `users`. */
export type Layout = "lines" | "documents";

type FoundRecord = Omit<SourceRecord, "bytesRead">;
interface Splitter {
  /** Returns the records that this piece of the file completes. */
  push(piece: string): readonly FoundRecord[];
  /** Returns the records that are left at the end of the file. */
  end(): readonly FoundRecord[];
}

/** A record of more characters is no account. */
const longestRecord = 1024 * 1024;
const deepest = 256;

/** Reads a file to its end with one record in memory at a time. Throws where the file is not UTF-8. */
export async function* recordsOf(stream: AsyncIterable<Uint8Array>, layout: Layout): AsyncGenerator<SourceRecord> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces = piecesOf(stream, decoder);
  let splitter: Splitter | undefined;
  for await (const { text, bytesRead } of pieces) {
    // A file that begins with a list is read as one, whatever layout was given: sqlite3 and Django write one unless they are asked for
    // lines.
    splitter ??= layout === "documents" || text.trimStart().startsWith("[") ? createDocuments() : createLines();
    for (const record of splitter.push(text)) yield { ...record, bytesRead };
    if (text === "") for (const record of splitter.end()) yield { ...record, bytesRead };
  }
}

/** Yields the text of the stream; an empty text only at its end. */
async function* piecesOf(stream: AsyncIterable<Uint8Array>, decoder: TextDecoder) {
  let bytesRead = 0;
  for await (const chunk of stream) {
    bytesRead += chunk.length;
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield { text, bytesRead };
  }
  yield { text: decoder.decode(), bytesRead };
}

function createLines(): Splitter {
  let line = 1;
  let rest = "";
  let isTooLong = false;

  function take(text: string): readonly FoundRecord[] {
    const found = { line, text: isTooLong || text.length > longestRecord ? undefined : text };
    isTooLong = false;
    return found.text?.trim() === "" ? [] : [found];
  }

  return {
    push(piece) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      const found = lines.flatMap((text) => {
        const taken = take(text);
        line += 1;
        return taken;
      });
      if (rest.length > longestRecord) [rest, isTooLong] = ["", true];
      return found;
    },
    end: () => take(rest),
  };
}

/** Goes through a document character by character, and keeps only the current record of it. */
function createDocuments(): Splitter {
  /** The brackets that are open. */
  let open = "";
  let line = 1;
  let isInText = false;
  let isEscaped = false;
  let lastText = "";
  /** The key of the top object that the reader is below. */
  let topKey = "";
  let record: { readonly line: number; readonly depth: number; text: string } | undefined;

  const isRecordHere = (): boolean => open === "[" || (open === "{[" && topKey === "users");

  function readText(character: string): void {
    if (isEscaped) isEscaped = false;
    else if (character === "\\") isEscaped = true;
    else if (character === '"') isInText = false;
    else if (open === "{" && lastText.length < 64) lastText += character;
  }

  function readStructure(character: string): void {
    if (character === '"') [isInText, lastText] = [true, ""];
    else if (character === ":" && open === "{") topKey = lastText;
    else if (character === "{" || character === "[") {
      if (character === "{" && record === undefined && isRecordHere()) record = { line, depth: open.length, text: "" };
      if (open.length >= deepest) throw new Error(`line ${line}: more than ${deepest} brackets are open`);
      open += character;
    } else if (character === "}" || character === "]") open = open.slice(0, -1);
  }

  return {
    push(piece) {
      const found: FoundRecord[] = [];
      let from = 0;
      for (let index = 0; index < piece.length; index += 1) {
        const character = piece.charAt(index);
        if (character === "\n") line += 1;
        const before = record;
        if (isInText) readText(character);
        else readStructure(character);
        if (before === undefined && record !== undefined) from = index;
        if (record === undefined || open.length > record.depth) continue;
        const text = record.text + piece.slice(from, index + 1);
        found.push({ line: record.line, text: text.length > longestRecord ? undefined : text });
        record = undefined;
      }
      // One character beyond the limit is enough to know that the record is too long.
      if (record !== undefined) record.text = (record.text + piece.slice(from)).slice(0, longestRecord + 1);
      return found;
    },
    end: () => (record === undefined ? [] : [{ line: record.line, text: record.text }]),
  };
}
