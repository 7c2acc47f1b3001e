import { createCheck } from "../content.ts";
import { carryingMs } from "./client.ts";
import { fromConnection, Silent, slow } from "./errors.ts";

interface Download {
  readonly response: Response;
  readonly controller: AbortController;
  readonly size: number;
  readonly sha256: string | undefined;
  readonly silenceMs: number;
  readonly failure: (error: unknown) => unknown;
}

/**
 * Returns the content of a file. The stream ends with an error where the connection falls silent, sends in drops, ends too early, or brings
 * other content than was put.
 */
export function contentOf({
  response,
  controller,
  size,
  sha256,
  silenceMs,
  failure,
}: Download): ReadableStream<Uint8Array> {
  const body: ReadableStream<Uint8Array> = response.body ?? new Blob([]).stream();
  const reader = body.getReader();
  const check = createCheck(sha256);
  let received = 0;
  /** The longest wait for the server in all. Time that the reader of the stream takes does not count. */
  const mostWaitedMs = 1.5 * silenceMs + carryingMs(size);
  let waitedMs = 0;

  async function next(): Promise<Uint8Array | undefined> {
    const began = performance.now();
    const restMs = mostWaitedMs - waitedMs;
    const timer = setTimeout(
      () => controller.abort(restMs < silenceMs ? slow(received, size, mostWaitedMs) : new Silent(silenceMs)),
      Math.max(0, Math.min(silenceMs, restMs)),
    );
    try {
      const { done, value } = await reader.read();
      if (!done) {
        received += value.length;
        check.add(value);
        return value;
      }
      if (received !== size) throw new Error(`the file ended after ${received} of ${size} bytes`);
      check.finish();
      return undefined;
    } catch (error) {
      throw failure(controller.signal.aborted ? controller.signal.reason : fromConnection(error));
    } finally {
      clearTimeout(timer);
      waitedMs += performance.now() - began;
    }
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const chunk = await next();
        if (chunk === undefined) stream.close();
        else stream.enqueue(chunk);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
