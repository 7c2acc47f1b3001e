import { writeFile } from "node:fs/promises";

const [library] = [
  ...new Bun.Glob("usr/lib/*/faketime/libfaketimeMT.so.1").scanSync({ cwd: "/", onlyFiles: false }),
].map((path) => `/${path}`);

/** Why a process can't be given a clock of its own; undefined where it can. */
export const faketimeMissing = library === undefined ? "no faketime on this machine" : undefined;

/**
 * A clock for processes of their own that can be set while they run. The monotonic clock stays the system's, as it does where somebody sets
 * the clock of a host. The file says by how many seconds the clock is ahead.
 */
export async function settableClock(path: string, aheadMs = 0) {
  const set = (ms: number): Promise<void> =>
    writeFile(path, `${ms < 0 ? "-" : "+"}${Math.round(Math.abs(ms) / 1_000)}`);
  await set(aheadMs);
  return {
    set,
    /** What a command line begins with whose process is to have this clock. */
    within: [
      "env",
      `LD_PRELOAD=${library}`,
      `FAKETIME_TIMESTAMP_FILE=${path}`,
      "FAKETIME_CACHE_DURATION=1",
      "FAKETIME_DONT_FAKE_MONOTONIC=1",
    ],
  };
}
