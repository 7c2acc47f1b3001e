import { hour, type Millis } from "../../../core/clock.ts";
import { contentHash } from "../../../core/crypto.ts";
import { newId } from "../../../core/ids.ts";
import { chunksOf, type Content, type PutOptions } from "../content.ts";
import type { S3Client } from "./client.ts";
import { Refused, strange } from "./errors.ts";
import { elements, partElement, textOf } from "./xml.ts";

/** The size of all parts but the last, since R2 asks for one size; 5 MiB is the least that servers take. */
const partBytes = 8 * 1024 * 1024;
/** The most parts that any server takes. */
const mostParts = 10_000;
/** The longest time that a put may take, so that an upload begun long before can't be one that is still under way. */
export const longestPutMs = 6 * hour;
const abandonedMs = 2 * longestPutMs;

export const checksumHeader = "x-amz-meta-sha256";
const uploadHeader = "x-amz-meta-upload";

/** Puts the content in one request where it has room in one part. No reader sees anything of it before the last request. */
export async function upload(client: S3Client, key: string, content: Content, options: PutOptions): Promise<void> {
  const { signal, sha256 } = options;
  let parts: Parts | undefined;
  try {
    const size = content instanceof Uint8Array ? Math.min(content.length, partBytes) : partBytes;
    for await (const { bytes, last } of partsOf(chunksOf(content, options), size)) {
      if (last && parts === undefined) {
        const headers = { [checksumHeader]: contentHash(bytes) };
        await client.ask({ method: "PUT", key, headers, body: bytes, signal, pace: "part" });
        return;
      }
      parts ??= await beginParts(client, key, { sha256, signal });
      await parts.add(bytes, signal);
    }
    await parts?.complete(signal);
  } catch (error) {
    if (parts === undefined || !(await parts.abandon())) throw error;
  }
}

interface Part {
  readonly bytes: Uint8Array;
  readonly last: boolean;
}

/** Yields the content in parts. The bytes of a part stay as they are until the next one is asked for. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Part> {
  const part = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length;) {
      if (filled === size) {
        yield { bytes: part, last: false };
        filled = 0;
      }
      const some = chunk.subarray(taken, taken + size - filled);
      part.set(some, filled);
      filled += some.length;
      taken += some.length;
    }
  }
  yield { bytes: part.subarray(0, filled), last: true };
}

type Parts = Awaited<ReturnType<typeof beginParts>>;

/** Begins a multipart upload. The file is there once it is complete, and not before. */
async function beginParts(client: S3Client, key: string, { sha256, signal }: PutOptions) {
  const id = newId();
  const headers = { [uploadHeader]: id, ...(sha256 !== undefined && { [checksumHeader]: sha256 }) };
  const begun = await client.ask({ method: "POST", key, query: { uploads: "" }, headers, signal });
  const uploadId = uploadIdIn(begun.text);
  const etags: string[] = [];

  return {
    async add(body: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
      const partNumber = etags.length + 1;
      if (partNumber > mostParts) throw new RangeError(`a file has at most ${mostParts} parts of ${partBytes} bytes`);
      const query = { partNumber, uploadId };
      const { headers } = await client.ask({ method: "PUT", key, query, body, signal, pace: "part" });
      etags.push(headers.get("etag") ?? "");
    },

    async complete(signal: AbortSignal | undefined): Promise<void> {
      const list = etags.map((etag, index) => partElement(index + 1, etag)).join("");
      const body = `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`;
      await client.ask({ method: "POST", key, query: { uploadId }, body, signal, pace: "complete" });
    },

    /**
     * Gives the upload up. Returns whether the file is there nevertheless: the answer to `complete` may have been lost after it was done.
     */
    async abandon(): Promise<boolean> {
      try {
        await abort(client, key, uploadId);
        const { headers } = await client.ask({ method: "HEAD", key });
        return headers.get(uploadHeader) === id;
      } catch {
        // The error that led here says more. A later sweep removes what can't be removed now.
        return false;
      }
    },
  };
}

/**
 * Returns the id of an upload. Throws where there is none: without an id, the request that gives an upload up would delete the file of that
 * name.
 */
export function uploadIdIn(text: string): string {
  const id = textOf(text, "UploadId");
  if (id === "") throw strange("an upload without an id");
  return id;
}

/** Removes what killed processes left behind: parts of uploads that nobody will complete, which no list of files shows. */
export async function sweepUploads(
  client: S3Client,
  prefix: string,
  { now, signal }: { readonly now: Millis; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { text } = await client.ask({ method: "GET", query: { uploads: "", prefix }, signal });
  for (const each of elements(text, "Upload")) {
    if (Date.parse(textOf(each, "Initiated")) > now - abandonedMs) continue;
    const key = textOf(each, "Key");
    // Some servers list the uploads of the whole bucket.
    if (key.startsWith(prefix)) await abort(client, key, uploadIdIn(each));
  }
}

/** Aborts an upload, even one that is complete by now, or that another process aborted. */
async function abort(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    await client.ask({ method: "DELETE", key, query: { uploadId } });
  } catch (error) {
    if (!(error instanceof Refused && error.reason === "NoSuchUpload")) throw error;
  }
}
