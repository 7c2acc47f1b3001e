import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import type { Log } from "../../observe/index.ts";

/** Steps of niceness: a third of the other threads' share of a busy core, all of an idle one. */
const stepsBack = 5;
const mostNice = 19;
const threads = "/proc/self/task";
const poolThread = "Bun Pool";

/**
 * Gives the threads that hash a lower priority than the one that serves (on Linux; elsewhere nothing happens): with equal priority they
 * hold up every other request for a time slice. The runtime starts them one by one, as they are first needed.
 */
export function lowerHashPriority(log: Log): void {
  if (process.platform !== "linux") return;
  try {
    const niceness = Math.min(mostNice, getPriority() + stepsBack);
    for (const id of readdirSync(threads)) {
      if (readFileSync(`${threads}/${id}/comm`, "utf8").startsWith(poolThread)) setPriority(Number(id), niceness);
    }
  } catch (error) {
    // The thread has ended meanwhile, or a sandbox has no /proc: hashes are made all the same.
    log.debug("the priority of the hashing threads was not lowered", { error });
  }
}
