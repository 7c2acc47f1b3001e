export type Content = Uint8Array | ReadableStream<Uint8Array>;

export interface PutOptions {
  readonly signal?: AbortSignal | undefined;
  /** The SHA-256 of the whole content, in hexadecimal, where it is known beforehand. Content with another one is refused. */
  readonly sha256?: string | undefined;
}

/** Compares content with the checksum that was given for it, if one was. `finish` throws where they differ. */
export function createCheck(sha256: string | undefined) {
  const hasher = sha256 === undefined ? undefined : new Bun.CryptoHasher("sha256");
  return {
    add: (chunk: Uint8Array): void => void hasher?.update(chunk),
    finish(): void {
      if (hasher !== undefined && hasher.digest("hex") !== sha256)
        throw new Error("the content does not have the SHA-256 that was given for it");
    },
  };
}

/** Yields the content, chunk by chunk. Rejects where it breaks, is aborted, or has another checksum; the stream is then cancelled. */
export async function* chunksOf(content: Content, { signal, sha256 }: PutOptions): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const check = createCheck(sha256);
  for await (const chunk of content instanceof Uint8Array ? [content] : read(content, signal)) {
    check.add(chunk);
    yield chunk;
  }
  check.finish();
}

async function* read(content: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = content.getReader();
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
  // A cancelled stream ends the read that waits for its next chunk.
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    // Cancelling has no effect on a stream that has ended.
    cancel();
  }
}
