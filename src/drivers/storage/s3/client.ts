import { minute, second, type Clock } from "../../../core/clock.ts";
import { contentHash } from "../../../core/crypto.ts";
import { readBounded } from "../../../core/pace/stream.ts";
import { baseUrl } from "../../../core/address/url.parts.ts";
import { fromConnection, isPassing, Refused, Silent } from "./errors.ts";
import { elements, textOf } from "./xml.ts";

export interface S3Settings {
  readonly bucket: string;
  /** Amazon's of that region where there is none. */
  readonly endpoint: URL | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** In place of the times of all calls. */
export interface Patience {
  readonly deadlineMs: number;
  /** Before the second attempt; each later one waits four times as long. */
  readonly pauseMs: number;
}

interface S3ClientOptions extends S3Settings {
  readonly clock: Clock;
  readonly patience?: Patience | undefined;
}

export interface Call {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** None for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal | undefined;
  /** Default `quick`. */
  readonly pace?: keyof typeof paces;
}

/** How long one attempt may take besides what it carries, and how many there are. */
const paces = {
  quick: { deadlineMs: 10 * second, attempts: 2 },
  /** A readiness check waits for it. */
  probe: { deadlineMs: 4 * second, attempts: 1 },
  part: { deadlineMs: 10 * second, attempts: 4 },
  /** Many parts take the server a while to put together. */
  complete: { deadlineMs: minute, attempts: 4 },
} as const;
/** A server that has said nothing twice is asked no more: each time costs the whole deadline. */
const mostSilences = 2;
const slowestBytesPerMs = (8 * 1024 * 1024) / minute;

/** How long so many bytes may be under way: 8 MiB in a minute is a line of 1.2 Mbit/s. */
export const carryingMs = (bytes: number): number => bytes / slowestBytesPerMs;
const firstPauseMs = 200;
/** A page of a list has 1,000 names of at most 1,024 bytes, and as much again around each. */
const mostAnswerBytes = 4 * 1024 * 1024;

export type S3Client = ReturnType<typeof createS3Client>;

/** The address of the bucket, without a slash at its end. */
export function addressOf({ bucket, endpoint, region }: S3Settings): string {
  // A certificate for *.s3.REGION.amazonaws.com is good for one label, so a bucket with a dot goes into the path.
  if (endpoint === undefined)
    return bucket.includes(".")
      ? `https://s3.${region}.amazonaws.com/${bucket}`
      : `https://${bucket}.s3.${region}.amazonaws.com`;
  const base = baseUrl(endpoint);
  return endpoint.hostname.startsWith(`${bucket}.`) ? base : `${base}/${bucket}`;
}

/** Signed requests to one bucket, each with a deadline. It rejects with Refused, Silent or Broken. */
export function createS3Client(settings: S3ClientOptions) {
  const address = addressOf(settings);
  const signingKeys = new Map<string, ArrayBuffer>();

  async function sign({ method, key = "", query = {}, headers = {}, body = "" }: Call): Promise<Request> {
    // Loaded by the first request: a server without such a disk never needs it.
    const { AwsV4Signer } = await import("aws4fetch");
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    // One signing key a day is made from the secret.
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
    // Not signed, since proxies change it: files are asked for as they are stored.
    signed.headers.set("accept-encoding", "identity");
    const sends = method === "PUT" || method === "POST";
    return new Request(signed.url.href, { method, headers: signed.headers, ...(sends && { body }) });
  }

  /** One attempt. The deadline holds until `use` has ended. */
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

  /** Tries again what may succeed in a moment, each time with a new signature. */
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

    /** The whole answer. */
    ask: (call: Call) =>
      persist(call, async (response, { signal }) => {
        const text = await textIn(response, signal);
        // Amazon sends its headers before it knows how the work ends, so a failure may stand in an answer of status 200.
        if (elements(text, "Error").length > 0) throw new Refused(500, textOf(text, "Code"));
        return { headers: response.headers, text };
      }),

    /** An answer of any size, to be read or aborted by the caller: the deadline ends with the arrival of its headers. */
    open: (call: Call) => persist(call, async (response, controller) => ({ response, controller })),
  };
}
