import { overtaken } from "../errors.ts";

const mostTries = 3;
/** Enough for twenty programs that write one account at the same moment: of each round of tries one at least succeeds. */
export const mostTriesBesideOthers = 20;

/**
 * Repeats an attempt that another request may overtake between its look and its commit. Each try looks anew, and resolves to undefined
 * where a guard of its commit failed. Throws `overtaken` after the last one.
 */
export async function tryAnew<T>(attempt: () => Promise<T | undefined>, most = mostTries): Promise<T> {
  for (let tries = 0; tries < most; tries += 1) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw overtaken();
}
