interface ReadLimits {
  readonly mostBytes: number;
  /** Makes the error of a stream that is too long. */
  readonly tooLarge: () => Error;
  /** Ends the read with its reason when aborted. */
  readonly signal?: AbortSignal;
  /** Called with the bytes read so far, before the newest are kept. An error thrown here ends the read. */
  readonly onGrowth?: (bytes: number) => void;
}

/** Reads a stream to its end, and cancels it as soon as the end is out of reach, so that nobody sends more than is wanted. */
export async function readBounded(
  stream: ReadableStream<Uint8Array> | null,
  { mostBytes, tooLarge, signal, onGrowth }: ReadLimits,
): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  // Cancelling wakes a pending read as if the stream had ended: the signal then tells an abort from an end.
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
