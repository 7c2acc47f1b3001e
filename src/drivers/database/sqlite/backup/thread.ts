/** What a thread does: it copies a database into a new file, or checks a part of a file that nobody writes. */
export type Order =
  | { readonly kind: "copy"; readonly source: string; readonly target: string }
  | {
      readonly kind: "check";
      readonly path: string;
      /** The name of the file in messages. */
      readonly name: string;
      /** Tables whose rows and indexes are checked. */
      readonly tables: readonly string[];
      /** Whether the file as a whole is checked: each page, those in no use as well, and all references. */
      readonly whole: boolean;
    };

/** What a thread tells: a table that it has checked, or its end, with the failure in words. */
export type Told = { readonly checked: string } | { readonly failure: string | undefined };

/** In the binary, build.ts puts the script under its path from the root; in the source tree the script lies beside this file. */
const script = import.meta.dir.startsWith("/$bunfs/")
  ? "file:///$bunfs/root/src/drivers/database/sqlite/backup/copy.worker.ts"
  : new URL("./copy.worker.ts", import.meta.url).href;

interface Running {
  readonly signal: AbortSignal | undefined;
  readonly onChecked?: (table: string) => void;
  /** Makes the error of a thread that has failed. */
  readonly failed: (why: string) => Error;
}

/** Runs the order in a thread. Rejects as soon as it is aborted; SQLite can't be interrupted from here, so the thread ends a little later. */
export async function inThread(order: Order, { signal, onChecked, failed }: Running): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const thread = new Worker(script);
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  thread.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    if ("checked" in data) onChecked?.(data.checked);
    else if (data.failure === undefined) resolve();
    else reject(failed(data.failure));
  });
  thread.addEventListener("error", ({ message }) => reject(failed(message)));
  thread.addEventListener("close", () => reject(failed("its thread ended")));
  thread.postMessage(order);
  try {
    await promise;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    thread.terminate();
  }
}
