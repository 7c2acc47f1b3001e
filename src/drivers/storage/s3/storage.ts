import { hour, minute, second, type Clock, type Millis } from "../../../core/clock.ts";
import type { Content, PutOptions } from "../content.ts";
import {
  type FilePage,
  type ListOptions,
  type ReadFile,
  type Storage,
  type StoredFile,
  StorageUnavailable,
} from "../index.ts";
import { checkLimit, checkName, isName, mostListed } from "../name.ts";
import { createS3Client, type Patience, type S3Settings } from "./client.ts";
import { contentOf } from "./download.ts";
import { Refused, Silent, Strange, translate } from "./errors.ts";
import { checksumHeader, longestPutMs, sweepUploads, upload, uploadIdIn } from "./upload.ts";
import { elements, textOf } from "./xml.ts";

export interface S3StorageOptions extends S3Settings {
  readonly name: string;
  /** What the keys of all files of the disk begin with, without a slash at its end. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly patience?: Patience;
}

const longestSilenceMs = 30 * second;
const sweepEveryMs = hour;
/** A probe looks every few seconds whether the bucket can be read, and this often whether it can be written. */
const writeCheckEveryMs = 10 * minute;

/** Keeps files in a bucket that speaks the protocol of Amazon S3. Touches nothing before the first use. */
export function createS3Storage({ name: disk, prefix, clock, patience, ...settings }: S3StorageOptions): Storage {
  const client = createS3Client({ ...settings, clock, patience });
  const root = prefix === "" ? "" : `${prefix}/`;
  const writing = new Set<Promise<unknown>>();
  let sweptAt: Millis = Number.NEGATIVE_INFINITY;
  let writableAt: Millis = Number.NEGATIVE_INFINITY;
  let closed = false;

  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new StorageUnavailable(`storage disk "${disk}" is closed`, undefined);
    try {
      return await work();
    } catch (error) {
      throw translate(disk, client.address, error);
    }
  };

  const describe = (name: string, { headers }: Pick<Response, "headers">): StoredFile =>
    fileOf(name, headers.get("content-length") ?? "0", headers.get("last-modified") ?? "");

  const probe = (signal?: AbortSignal): Promise<unknown> =>
    client.ask({ method: "GET", query: { "list-type": 2, "max-keys": 1, prefix: root }, signal, pace: "probe" });

  /** Once in a while, before a file is put. A key without the right to do so can put files all the same. */
  async function sweep(signal: AbortSignal | undefined): Promise<void> {
    if (clock.now() - sweptAt < sweepEveryMs) return;
    sweptAt = clock.now();
    try {
      await sweepUploads(client, root, { now: sweptAt, signal });
    } catch (error) {
      signal?.throwIfAborted();
      // Some servers are slow to list uploads. One that says nothing to anything is told here, not after each part was tried.
      if (error instanceof Silent) await probe(signal);
    }
  }

  async function put(name: string, content: Content, { signal, sha256 }: PutOptions): Promise<StoredFile> {
    signal?.throwIfAborted();
    await sweep(signal);
    const limit = AbortSignal.timeout(longestPutMs);
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    await upload(client, root + name, content, { signal: either, sha256 });
    const file = await stat(name);
    if (file === undefined) throw new Error(`${name} was removed while it was put`);
    return file;
  }

  async function stat(name: string): Promise<StoredFile | undefined> {
    const key = root + name;
    try {
      return describe(name, await client.ask({ method: "HEAD", key }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The answer to HEAD has no body that could tell an absent file from an absent bucket.
      await ifThere(client.ask({ method: "GET", key, headers: { range: "bytes=0-0" } }));
      if (error.status === 404) return undefined;
      throw error;
    }
  }

  async function get(name: string): Promise<ReadFile | undefined> {
    const found = await ifThere(client.open({ method: "GET", key: root + name }));
    if (found === undefined) return undefined;
    const { response, controller } = found;
    const file = describe(name, response);
    const sha256 = response.headers.get(checksumHeader) ?? undefined;
    const failure = (error: unknown): unknown => translate(disk, client.address, error);
    return {
      ...file,
      content: contentOf({
        response,
        controller,
        size: file.size,
        sha256,
        silenceMs: patience?.deadlineMs ?? longestSilenceMs,
        failure,
      }),
    };
  }

  async function list({ prefix: begin = "", after = "", limit = mostListed }: ListOptions): Promise<FilePage> {
    const most = checkLimit(limit);
    const query = {
      "list-type": 2,
      "max-keys": most,
      prefix: root + begin,
      ...(after !== "" && { "start-after": root + after }),
    };
    const { text } = await client.ask({ method: "GET", query });
    const all = elements(text, "Contents").map((each) => {
      const key = textOf(each, "Key");
      if (!key.startsWith(root + begin)) throw new Strange("a list of other files than were asked for");
      return fileOf(key.slice(root.length), textOf(each, "Size"), textOf(each, "LastModified"));
    });
    // What others put there under names that no file of a disk has is left out, so that a page may have fewer.
    const files = all.filter(({ name }) => isName(name));
    return { files, next: textOf(text, "IsTruncated") === "true" ? all.at(-1)?.name : undefined };
  }

  /** Whether the key may write, without a file: an upload that is begun and given up at once. */
  async function checkWritable(): Promise<void> {
    const key = `${root}writable`;
    const { text } = await client.ask({ method: "POST", key, query: { uploads: "" }, pace: "probe" });
    await client.ask({ method: "DELETE", key, query: { uploadId: uploadIdIn(text) }, pace: "probe" });
  }

  return {
    driver: "s3",
    name: disk,

    async put(name, content, options = {}) {
      checkName(name);
      const work = translated(() => put(name, content, options));
      const watched = work.catch(() => undefined).finally(() => writing.delete(watched));
      writing.add(watched);
      return work;
    },

    async get(name) {
      checkName(name);
      return translated(() => get(name));
    },

    async stat(name) {
      checkName(name);
      return translated(() => stat(name));
    },

    list: async (options = {}) => translated(() => list(options)),

    async delete(name) {
      checkName(name);
      await translated(() => ifThere(client.ask({ method: "DELETE", key: root + name })));
    },

    ping: () =>
      translated(async () => {
        const isDue = clock.now() - writableAt >= writeCheckEveryMs;
        await probe();
        if (!isDue) return;
        await checkWritable();
        writableAt = clock.now();
      }),

    async close() {
      closed = true;
      await Promise.all(writing);
    },
  };
}

function fileOf(name: string, size: string, modified: string): StoredFile {
  const file = { name, size: Number(size), modifiedAt: Date.parse(modified) };
  if (!/^\d+$/.test(size) || !Number.isSafeInteger(file.size)) throw new Strange("a file without a size");
  if (Number.isNaN(file.modifiedAt)) throw new Strange("a file without a time");
  return file;
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refused && error.reason === "NoSuchKey") return undefined;
    throw error;
  }
}
