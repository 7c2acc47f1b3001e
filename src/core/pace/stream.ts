interface ReadLimits {
  readonly mostBytes: number;
  /** What is thrown when there is more. */
  readonly tooLarge: () => Error;
  /** Ends the read, with its reason, when it is aborted. */
  readonly signal?: AbortSignal;
  /** Called with the bytes read so far before they are kept; what it throws ends the read. */
  readonly onGrowth?: (bytes: number) => void;
}

/** Reads a stream to its end, and cancels it as soon as the end can't be had: nobody sends more than is wanted. */
export async function readBounded(
  stream: ReadableStream<Uint8Array> | null,
  { mostBytes, tooLarge, signal, onGrowth }: ReadLimits,
): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  // Wakes a read that waits for more, as if the stream had ended: the signal is asked which of the two it was.
  const onAbort = (): void => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", onAbort, { once: true });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
      size += value.length;
      if (size > mostBytes) throw tooLarge();
      onGrowth?.(size);
      chunks.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
