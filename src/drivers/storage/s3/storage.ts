import { hour, minute, second, type Clock, type Millis } from "../../../core/clock.ts";
import { hostOf } from "../../../core/address/url.parts.ts";
import type { Content, PutOptions } from "../content.ts";
import { createDisk } from "../disk.ts";
import {
  StorageUnavailable,
  type FilePage,
  type ListOptions,
  type ReadFile,
  type Storage,
  type StoredFile,
} from "../index.ts";
import { createWayOut } from "../../way.out.ts";
import { isName } from "../name.ts";
import { createS3Client, type Patience, type S3Settings } from "./client.ts";
import { contentOf } from "./download.ts";
import { isUnreached, Refused, Silent, strange, translate } from "./errors.ts";
import { checksumHeader, longestPutMs, sweepUploads, upload, uploadIdIn } from "./upload.ts";
import { elements, textOf } from "./xml.ts";

export interface S3StorageOptions extends S3Settings {
  readonly name: string;
  /** The beginning of the keys of all files of the disk, without a slash at its end. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly patience?: Patience;
}

const longestSilenceMs = 30 * second;
const sweepEveryMs = hour;
/** How often `ping` checks that the bucket can be written. Whether it can be read is checked each time. */
const writeCheckEveryMs = 10 * minute;

/** Keeps files in a bucket that speaks the protocol of Amazon S3. Touches nothing before the first use. */
export function createS3Storage({ name: disk, prefix, clock, patience, ...settings }: S3StorageOptions): Storage {
  const client = createS3Client({ ...settings, clock, patience });
  const root = prefix === "" ? "" : `${prefix}/`;
  let sweptAt: Millis = Number.NEGATIVE_INFINITY;
  let writableAt: Millis = Number.NEGATIVE_INFINITY;
  const wayOut = createWayOut(hostOf(new URL(client.address)));
  const translated = (error: unknown): unknown => translate(disk, client.address, error);

  const describe = (name: string, { headers }: Pick<Response, "headers">): StoredFile =>
    fileOf(name, headers.get("content-length") ?? "0", headers.get("last-modified") ?? "");

  const probe = (signal?: AbortSignal): Promise<unknown> =>
    client.ask({ method: "GET", query: { "list-type": 2, "max-keys": 1, prefix: root }, signal, pace: "probe" });

  /**
   * Removes abandoned uploads once in a while, before a file is put. An access key without the right to do so can put files all the same.
   */
  async function sweep(signal: AbortSignal | undefined): Promise<void> {
    if (clock.now() - sweptAt < sweepEveryMs) return;
    sweptAt = clock.now();
    try {
      await sweepUploads(client, root, { now: sweptAt, signal });
    } catch (error) {
      signal?.throwIfAborted();
      // Some servers are slow to list uploads. The probe finds a server that says nothing to anything here, not after each part was tried.
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
    return {
      ...file,
      content: contentOf({
        response,
        controller,
        size: file.size,
        sha256,
        silenceMs: patience?.deadlineMs ?? longestSilenceMs,
        failure: translated,
      }),
    };
  }

  async function list({ prefix: begin, after, limit }: Required<ListOptions>): Promise<FilePage> {
    const query = {
      "list-type": 2,
      "max-keys": limit,
      prefix: root + begin,
      ...(after !== "" && { "start-after": root + after }),
    };
    const { text } = await client.ask({ method: "GET", query });
    const all = elements(text, "Contents").map((each) => {
      const key = textOf(each, "Key");
      if (!key.startsWith(root + begin)) throw strange("a list of other files than were asked for");
      return fileOf(key.slice(root.length), textOf(each, "Size"), textOf(each, "LastModified"));
    });
    // Keys that others put there under names that no file of a disk has are left out, so a page may have fewer files.
    const files = all.filter(({ name }) => isName(name));
    return { files, next: textOf(text, "IsTruncated") === "true" ? all.at(-1)?.name : undefined };
  }

  /** Checks whether the key may write, without a file: begins an upload and gives it up at once. */
  async function checkWritable(): Promise<void> {
    const key = `${root}writable`;
    const { text } = await client.ask({ method: "POST", key, query: { uploads: "" }, pace: "probe" });
    await client.ask({ method: "DELETE", key, query: { uploadId: uploadIdIn(text) }, pace: "probe" });
  }

  return createDisk({
    driver: "s3",
    name: disk,
    async translate(error) {
      const shut = isUnreached(error) ? await wayOut() : undefined;
      return shut === undefined
        ? translated(error)
        : new StorageUnavailable(`storage disk "${disk}" (${client.address}): ${shut}`, error);
    },
    put,
    get,
    stat,
    list,
    delete: async (name) => void (await ifThere(client.ask({ method: "DELETE", key: root + name }))),
    async ping() {
      const isDue = clock.now() - writableAt >= writeCheckEveryMs;
      await probe();
      if (!isDue) return;
      await checkWritable();
      writableAt = clock.now();
    },
  });
}

function fileOf(name: string, size: string, modified: string): StoredFile {
  const file = { name, size: Number(size), modifiedAt: Date.parse(modified) };
  if (!/^\d+$/.test(size) || !Number.isSafeInteger(file.size)) throw strange("a file without a size");
  if (Number.isNaN(file.modifiedAt)) throw strange("a file without a time");
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
