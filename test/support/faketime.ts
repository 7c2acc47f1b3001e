import { writeFile } from "node:fs/promises";

const [library] = [
  ...new Bun.Glob("usr/lib/*/faketime/libfaketimeMT.so.1").scanSync({ cwd: "/", onlyFiles: false }),
].map((path) => `/${path}`);

/** Why a process can't have its own clock; undefined if it can. */
export const faketimeMissing = library === undefined ? "no faketime on this machine" : undefined;

/**
 * Makes a clock for separate processes that can be set while they run. The monotonic clock stays the system's, as on a host whose clock
 * somebody sets. The file says by how many seconds the clock is ahead.
 */
export async function settableClock(path: string, aheadMs = 0) {
  const set = (ms: number): Promise<void> =>
    writeFile(path, `${ms < 0 ? "-" : "+"}${Math.round(Math.abs(ms) / 1_000)}`);
  await set(aheadMs);
  return {
    set,
    /** The beginning of a command line whose process has this clock. */
    within: [
      "env",
      `LD_PRELOAD=${library}`,
      `FAKETIME_TIMESTAMP_FILE=${path}`,
      "FAKETIME_CACHE_DURATION=1",
      "FAKETIME_DONT_FAKE_MONOTONIC=1",
    ],
  };
}
