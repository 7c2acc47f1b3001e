import { expect, test } from "bun:test";
import { readBounded } from "../../src/core/pace/stream.ts";

const tooLarge = (): Error => new Error("too large");
const limits = { mostBytes: 8, tooLarge };
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

/** Makes a stream of these chunks that ends only if `ends` is true, and knows whether it was cancelled. */
function createStream(chunks: readonly Uint8Array[], ends = true) {
  let cancelled = false;
  const left = [...chunks];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (ends) controller.close();
        else return new Promise<void>(() => undefined);
        return undefined;
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, unread: () => left.length, isCancelled: () => cancelled };
}

test("no stream, and one of nothing, is no bytes", async () => {
  expect([...(await readBounded(null, limits))]).toEqual([]);
  expect([...(await readBounded(createStream([]).stream, limits))]).toEqual([]);
});

test("a stream is read to its end, up to the very limit", async () => {
  expect([...(await readBounded(createStream([bytes(1, 2)]).stream, limits))]).toEqual([1, 2]);
  const whole = await readBounded(createStream([bytes(1, 2, 3, 4), bytes(5, 6, 7), bytes(8)]).stream, limits);
  expect([...whole]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("one byte more is refused, and the rest is not read", async () => {
  const sent = createStream([bytes(1, 2, 3, 4), bytes(5, 6, 7, 8, 9), bytes(10)]);
  expect(readBounded(sent.stream, limits)).rejects.toThrow("too large");
  await Bun.sleep(1);
  expect([sent.isCancelled(), sent.unread()]).toEqual([true, 1]);
});

test("what watches the growth can end it", async () => {
  const seen: number[] = [];
  const sent = createStream([bytes(1), bytes(2, 3), bytes(4)]);
  const read = readBounded(sent.stream, {
    ...limits,
    onGrowth(size) {
      seen.push(size);
      if (size >= 3) throw new Error("no room");
    },
  });
  expect(read).rejects.toThrow("no room");
  await Bun.sleep(1);
  expect([seen, sent.isCancelled(), sent.unread()]).toEqual([[1, 3], true, 1]);
});

test("a read that waits is ended by its signal, with the signal's reason, and what had come is not taken for all", async () => {
  const abort = new AbortController();
  const sent = createStream([bytes(1)], false);
  const read = readBounded(sent.stream, { ...limits, signal: abort.signal }).catch((error: unknown) => error);
  await Bun.sleep(1);
  abort.abort(new Error("late"));
  expect(await read).toEqual(new Error("late"));
  expect(sent.isCancelled()).toBe(true);
});

test("a stream that breaks is no stream that ended", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new Error("cut off"));
    },
  });
  expect(readBounded(broken, limits)).rejects.toThrow("cut off");
});
