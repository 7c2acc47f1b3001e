import { createHash } from "node:crypto";
import { refusalOf, type SignedRequest } from "./s3.signature.ts";

// A small S3 server in memory that checks every signature and every checksum.

interface Stored {
  readonly bytes: Uint8Array;
  readonly modifiedAt: number;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Upload {
  readonly key: string;
  initiatedAt: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parts: Map<number, Uint8Array>;
}

/**
 * Faults of a request. `late`: an error in an answer of status 200. `cut`: an answer that breaks off. `lost`: the work is done, but the
 * answer denies it.
 */
export type Fault = "500" | "503" | "late" | "denied" | "silent" | "stalled" | "cut" | "lost" | "corrupt";

/** A request as tests see it: `PUT part`, `POST complete`, `GET file`. */
export interface Seen {
  readonly method: string;
  readonly what: string;
  readonly key: string;
}

export interface S3Options {
  readonly region?: string;
  readonly bucket?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

const keyId = "AKIDADA";
const secret = "ada's secret access key";
const leastPartBytes = 5 * 1024 * 1024;

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const etagOf = (bytes: Uint8Array): string => `"${createHash("md5").update(bytes).digest("hex")}"`;
const metadataOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-amz-meta-")));
const xml = (body: string, status = 200): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, {
    status,
    headers: { "content-type": "application/xml" },
  });
const refuse = (status: number, code: string): Response =>
  xml(`<Error><Code>${code}</Code><Message>${secret} must reach no log</Message></Error>`, status);

const noFault: (about: Seen) => Fault | undefined = () => undefined;

const whatOf = (method: string, key: string, query: URLSearchParams): string => {
  if (query.has("partNumber")) return "part";
  if (query.has("uploads")) return method === "POST" ? "begin" : "uploads";
  if (query.has("uploadId")) return method === "DELETE" ? "abort" : "complete";
  return key === "" ? "list" : "file";
};

/** Starts a server on a free port. `fault` is asked about each correctly signed request. */
export function startS3({ region = "us-east-1", bucket = "offsite", tls }: S3Options = {}) {
  const files = new Map<string, Stored>();
  const uploads = new Map<string, Upload>();
  const seen: Seen[] = [];
  const state = {
    secrets: new Map([[keyId, secret]]),
    bucket,
    /** How far the server's clock is ahead. */
    aheadMs: 0,
    fault: noFault,
    /** Changes a body on the way. */
    onTheWay: (body: Uint8Array): Uint8Array => body,
  };
  const now = (): number => Date.now() + state.aheadMs;
  let released = Promise.withResolvers<void>();

  function putPart(query: URLSearchParams, body: Uint8Array): Response {
    const upload = uploads.get(query.get("uploadId") ?? "");
    if (upload === undefined) return refuse(404, "NoSuchUpload");
    upload.parts.set(Number(query.get("partNumber")), body);
    return new Response(null, { headers: { etag: etagOf(body) } });
  }

  function begin(key: string, headers: Headers): Response {
    const id = crypto.randomUUID();
    uploads.set(id, { key, initiatedAt: now(), metadata: metadataOf(headers), parts: new Map() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  function complete(key: string, query: URLSearchParams, body: Uint8Array): Response {
    const id = query.get("uploadId") ?? "";
    const upload = uploads.get(id);
    if (upload?.key !== key) return refuse(404, "NoSuchUpload");
    const listed = [...new TextDecoder().decode(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)];
    const parts = listed.map(([, number, etag]) => ({ bytes: upload.parts.get(Number(number)), etag }));
    const isWrong = parts.some(
      ({ bytes, etag }, index) =>
        bytes === undefined ||
        etagOf(bytes) !== etag?.replaceAll("&quot;", '"') ||
        Number(listed[index]?.[1]) !== index + 1,
    );
    if (isWrong || parts.length === 0) return refuse(400, "InvalidPart");
    const all = parts.map(({ bytes }) => bytes ?? new Uint8Array());
    if (all.slice(0, -1).some(({ length }) => length < leastPartBytes)) return refuse(400, "EntityTooSmall");
    uploads.delete(id);
    files.set(key, { bytes: Buffer.concat(all), modifiedAt: now(), metadata: upload.metadata });
    return xml("<CompleteMultipartUploadResult><ETag>&quot;x&quot;</ETag></CompleteMultipartUploadResult>");
  }

  function listFiles(query: URLSearchParams): Response {
    const most = Math.min(Number(query.get("max-keys") ?? 1_000), 1_000);
    const [prefix, after] = [query.get("prefix") ?? "", query.get("start-after") ?? ""];
    const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const contents = keys.slice(0, most).map((key) => {
      const file = files.get(key);
      const at = new Date(file?.modifiedAt ?? 0).toISOString();
      return `<Contents><Key>${escape(key)}</Key><LastModified>${at}</LastModified><Size>${file?.bytes.length}</Size></Contents>`;
    });
    const truncated = `<IsTruncated>${keys.length > most}</IsTruncated>`;
    return xml(`<ListBucketResult>${truncated}${contents.join("")}</ListBucketResult>`);
  }

  function listUploads(query: URLSearchParams): Response {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(query.get("prefix") ?? ""));
    const all = found.map(
      ([id, { key, initiatedAt }]) =>
        `<Upload><Key>${escape(key)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(initiatedAt).toISOString()}</Initiated></Upload>`,
    );
    return xml(`<ListMultipartUploadsResult>${all.join("")}</ListMultipartUploadsResult>`);
  }

  function read(key: string, method: string, range: string | null): Response {
    const file = files.get(key);
    if (file === undefined) return method === "HEAD" ? new Response(null, { status: 404 }) : refuse(404, "NoSuchKey");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (first !== undefined && Number(first) >= file.bytes.length) return refuse(416, "InvalidRange");
    const bytes = first === undefined ? file.bytes : file.bytes.slice(Number(first), Number(last) + 1);
    const headers = {
      ...file.metadata,
      etag: etagOf(file.bytes),
      "last-modified": new Date(file.modifiedAt).toUTCString(),
      "content-length": String(bytes.length),
    };
    return new Response(method === "HEAD" ? null : Buffer.from(bytes), {
      status: first === undefined ? 200 : 206,
      headers,
    });
  }

  function serve({ method, headers, body }: SignedRequest, { what, key }: Seen, query: URLSearchParams): Response {
    if (what === "part") return putPart(query, body);
    if (what === "begin") return begin(key, headers);
    if (what === "complete") return complete(key, query, body);
    if (what === "uploads") return listUploads(query);
    if (what === "list") return listFiles(query);
    if (what === "abort")
      return uploads.delete(query.get("uploadId") ?? "")
        ? new Response(null, { status: 204 })
        : refuse(404, "NoSuchUpload");
    if (method === "GET" || method === "HEAD") return read(key, method, headers.get("range"));
    if (method === "DELETE") files.delete(key);
    else files.set(key, { bytes: body, modifiedAt: now(), metadata: metadataOf(headers) });
    return new Response(null, { status: method === "DELETE" ? 204 : 200, headers: { etag: etagOf(body) } });
  }

  /** Sends the first half of an answer; then nothing more comes, or the connection breaks. */
  async function half(response: Response, fault: "cut" | "stalled"): Promise<Response> {
    const bytes = await response.bytes();
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(bytes.slice(0, bytes.length / 2));
        if (fault === "stalled") await released.promise;
        controller.error(new Error("cut"));
      },
    });
    return new Response(stream, { headers: response.headers });
  }

  async function spoil(fault: Fault, answer: () => Response): Promise<Response> {
    if (fault === "500") return refuse(500, "InternalError");
    if (fault === "late") return xml("<Error><Code>InternalError</Code></Error>");
    if (fault === "503") return refuse(503, "SlowDown");
    if (fault === "denied") return refuse(403, "AccessDenied");
    if (fault === "cut" || fault === "stalled") return half(answer(), fault);
    if (fault === "corrupt") {
      const response = answer();
      const bytes = await response.bytes();
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      return new Response(bytes, { headers: response.headers });
    }
    if (fault === "lost") answer();
    else await released.promise;
    return refuse(500, "InternalError");
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    ...(tls && { tls }),
    async fetch(http) {
      const { pathname, search, searchParams } = new URL(http.url);
      const { method, headers } = http;
      const request = { method, target: pathname + search, headers, body: state.onTheWay(await http.bytes()) };
      const refusal = refusalOf(request, { secrets: state.secrets, region, now: now() });
      if (refusal !== undefined)
        return method === "HEAD" ? new Response(null, { status: refusal[0] }) : refuse(...refusal);
      const [, named = "", key = ""] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(pathname)) ?? [];
      if (named !== state.bucket)
        return method === "HEAD" ? new Response(null, { status: 404 }) : refuse(404, "NoSuchBucket");
      const about = { method, key, what: whatOf(method, key, searchParams) };
      seen.push(about);
      const fault = state.fault(about);
      return fault === undefined
        ? serve(request, about, searchParams)
        : spoil(fault, () => serve(request, about, searchParams));
    },
  });

  return {
    port: server.port,
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${server.port}`,
    accessKeyId: keyId,
    secretAccessKey: secret,
    region,
    files,
    uploads,
    seen,
    state,
    /** Returns the requests so far, as `PUT part`. */
    asked: (): string[] => seen.map(({ method, what }) => `${method} ${what}`),
    failAlways(request: string, fault: Fault): void {
      state.fault = ({ method, what }) => (`${method} ${what}` === request ? fault : undefined);
    },
    /** Makes the next of these requests fail, one after the other in these ways. */
    failOnce(request: string, ...faults: readonly Fault[]): void {
      const left = [...faults];
      state.fault = ({ method, what }) => (`${method} ${what}` === request ? left.shift() : undefined);
    },
    /** Ends stalled answers. */
    release(): void {
      released.resolve();
      released = Promise.withResolvers();
    },
    async stop(): Promise<void> {
      released.resolve();
      await server.stop(true);
    },
  };
}

/** Returns the settings of a disk `off-site` on that server. */
export const offSiteOn = (server: ReturnType<typeof startS3>) => ({
  STORAGE_OFF_SITE_DRIVER: "s3",
  STORAGE_OFF_SITE_BUCKET: "offsite",
  STORAGE_OFF_SITE_ENDPOINT: server.url,
  STORAGE_OFF_SITE_ACCESS_KEY_ID: server.accessKeyId,
  STORAGE_OFF_SITE_SECRET_ACCESS_KEY: server.secretAccessKey,
});
