import { minute, second, type Clock } from "../../../core/clock.ts";
import { contentHash } from "../../../core/crypto.ts";
import { readBounded } from "../../../core/pace/stream.ts";
import { baseUrl } from "../../../core/address/url.parts.ts";
import { fromConnection, isPassing, Refused, Silent } from "./errors.ts";
import { elements, textOf } from "./xml.ts";

export interface S3Settings {
  readonly bucket: string;
  /** Undefined for Amazon's endpoint of the region. */
  readonly endpoint: URL | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Times that replace those of all calls. */
export interface Patience {
  readonly deadlineMs: number;
  /** The pause before the second attempt; each later one is four times as long. */
  readonly pauseMs: number;
}

interface S3ClientOptions extends S3Settings {
  readonly clock: Clock;
  readonly patience?: Patience | undefined;
}

export interface Call {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** The key of a file; none for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal | undefined;
  /** Default `quick`. */
  readonly pace?: keyof typeof paces;
}

/** How long one attempt may take besides carrying its body, and how many attempts there are. */
const paces = {
  quick: { deadlineMs: 10 * second, attempts: 2 },
  /** The pace of a readiness check, which waits for the answer. */
  probe: { deadlineMs: 4 * second, attempts: 1 },
  part: { deadlineMs: 10 * second, attempts: 4 },
  /** The pace of completing an upload: many parts take the server a while to put together. */
  complete: { deadlineMs: minute, attempts: 4 },
} as const;
/** How often a server may say nothing before it is asked no more: each time costs the whole deadline. */
const mostSilences = 2;
const slowestBytesPerMs = (8 * 1024 * 1024) / minute;

/** Returns how long bytes may be under way: 8 MiB in a minute is a line of 1.2 Mbit/s. */
export const carryingMs = (bytes: number): number => bytes / slowestBytesPerMs;
const firstPauseMs = 200;
/** Room for a page of a list, which has 1,000 names of at most 1,024 bytes, and as much again around each. */
const mostAnswerBytes = 4 * 1024 * 1024;

export type S3Client = ReturnType<typeof createS3Client>;

/** Returns the address of the bucket, without a slash at its end. */
export function addressOf({ bucket, endpoint, region }: S3Settings): string {
  // A certificate for *.s3.REGION.amazonaws.com is good for one label, so a bucket with a dot goes into the path.
  if (endpoint === undefined)
    return bucket.includes(".")
      ? `https://s3.${region}.amazonaws.com/${bucket}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
  const base = baseUrl(endpoint);
  return endpoint.hostname.startsWith(`${bucket}.`) ? base : `${base}/${bucket}`;
}

/** Sends signed requests to one bucket, each with a deadline. Rejects with Refused, Silent or Broken. */
export function createS3Client(settings: S3ClientOptions) {
  const address = addressOf(settings);
  const signingKeys = new Map<string, ArrayBuffer>();

  async function sign({ method, key = "", query = {}, headers = {}, body = "" }: Call): Promise<Request> {
    // The first request loads the signer: a server without such a disk never needs it.
    const { AwsV4Signer } = await import("aws4fetch");
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    // The secret makes one signing key a day.
    if (signingKeys.size > 2) signingKeys.clear();
    const signed = await new AwsV4Signer({
      method,
      url: `${address}/${key.split("/").map(encodeURIComponent).join("/")}${search.length === 0 ? "" : `?${search.join("&")}`}`,
      // The server refuses a body of another hash than the signed one: it stores what was sent or nothing.
      headers: { ...headers, "x-amz-content-sha256": contentHash(body) },
      accessKeyId: settings.accessKeyId,
      secretAccessKey: settings.secretAccessKey,
      region: settings.region,
      service: "s3",
      datetime: new Date(settings.clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
      cache: signingKeys,
    }).sign();
    // The header is not signed, since proxies change it: files are asked for as they are stored.
    signed.headers.set("accept-encoding", "identity");
    const sends = method === "PUT" || method === "POST";
    return new Request(signed.url.href, { method, headers: signed.headers, ...(sends && { body }) });
  }

  /** Makes one attempt. The deadline holds until `use` has ended. */
  async function attempt<T>(
    call: Call,
    use: (response: Response, controller: AbortController) => Promise<T>,
  ): Promise<T> {
    const { body = "", pace = "quick" } = call;
    const deadlineMs = settings.patience?.deadlineMs ?? Math.ceil(paces[pace].deadlineMs + carryingMs(body.length));
    const controller = new AbortController();
    const { signal } = controller;
    const onAbort = (): void => controller.abort(call.signal?.reason);
    call.signal?.throwIfAborted();
    call.signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => controller.abort(new Silent(deadlineMs)), deadlineMs);
    try {
      const response = await fetch(await sign(call), { signal, redirect: "manual", decompress: false });
      if (!response.ok) throw new Refused(response.status, textOf(await textIn(response, signal), "Code"));
      return await use(response, controller);
    } catch (error) {
      throw signal.aborted ? signal.reason : fromConnection(error);
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", onAbort);
    }
  }

  const textIn = async ({ body }: Response, signal: AbortSignal): Promise<string> =>
    new TextDecoder().decode(
      await readBounded(body, {
        mostBytes: mostAnswerBytes,
        tooLarge: () => new Error(`the server's answer is larger than ${mostAnswerBytes} bytes`),
        signal,
      }),
    );

  /** Tries again calls that may succeed in a moment, each time with a new signature. */
  async function persist<T>(
    call: Call,
    use: (response: Response, controller: AbortController) => Promise<T>,
  ): Promise<T> {
    const pauseMs = settings.patience?.pauseMs ?? firstPauseMs;
    const { attempts } = paces[call.pace ?? "quick"];
    for (let made = 1; ; made += 1) {
      try {
        return await attempt(call, use);
      } catch (error) {
        const most = error instanceof Silent ? Math.min(attempts, mostSilences) : attempts;
        if (made >= most || call.signal?.aborted === true || !isPassing(error)) throw error;
        await Bun.sleep(pauseMs * 4 ** (made - 1) * (0.5 + Math.random()));
      }
    }
  }

  return {
    address,

    /** Returns the whole answer. */
    ask: (call: Call) =>
      persist(call, async (response, { signal }) => {
        const text = await textIn(response, signal);
        // Amazon sends its headers before it knows how the work ends, so a failure may stand in an answer of status 200.
        if (elements(text, "Error").length > 0) throw new Refused(500, textOf(text, "Code"));
        return { headers: response.headers, text };
      }),

    /** Opens an answer of any size, which the caller reads or aborts: the deadline ends with the arrival of its headers. */
    open: (call: Call) => persist(call, async (response, controller) => ({ response, controller })),
  };
}
