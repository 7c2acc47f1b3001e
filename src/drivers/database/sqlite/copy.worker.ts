// A thread of its own: copying a large database takes seconds, in which the process that serves must go on serving.
import { copyDatabase } from "./copy.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<{ source: string; target: string }>) => {
  try {
    copyDatabase(data.source, data.target);
    self.postMessage({ failure: undefined });
  } catch (error) {
    self.postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
});
