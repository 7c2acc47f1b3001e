// Copies run on a thread of their own: a large database takes seconds, in which the process must go on serving.
import type { CopyOrder } from "./backup.ts";
import { checkFile, copyDatabase } from "./copy.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<CopyOrder>) => {
  try {
    if (data.source === undefined) checkFile(data.target);
    else copyDatabase(data.source, data.target);
    self.postMessage({ failure: undefined });
  } catch (error) {
    self.postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
});
