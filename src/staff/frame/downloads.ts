import { AppError } from "../../core/errors.ts";

const retryAfterSeconds = 30;

/**
 * Streams files that are written while they are read, at most `most` at once: each file asks the database for one window after another, and
 * the pages of other people have to come between. Throws `unavailable` for one more. A place is free again once its file has been read or
 * abandoned.
 */
export function createDownloads(most: number) {
  const encoder = new TextEncoder();
  let open = 0;

  async function* inPlace(lines: AsyncGenerator<string, void, undefined>) {
    open += 1;
    try {
      yield* lines;
    } finally {
      open -= 1;
    }
  }

  return function download(lines: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
    if (open >= most) throw new AppError("unavailable", { retryAfterSeconds });
    const file = inPlace(lines);
    // The first step takes the place at once, and not only when somebody begins to read.
    let step: ReturnType<typeof file.next> | undefined = file.next();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await (step ?? file.next());
        step = undefined;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await file.return(undefined);
      },
    });
  };
}
