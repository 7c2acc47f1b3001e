import { second } from "../../core/clock.ts";
import { AppError, errorCode } from "../../core/errors.ts";
import { settle } from "../../core/pace/deadline.ts";
import { createTurns } from "../../core/pace/turns.ts";

interface LookupOptions {
  /** Addresses with or without a port; without any, the servers of the system are asked. */
  readonly servers: readonly string[];
  readonly timeoutMs?: number;
}

/** Thrown where nobody could say which texts a name has. */
export class LookupFailure extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the texts of a name could not be looked up (${reason})`, { cause });
    this.name = "LookupFailure";
  }
}

/** What the servers say of a name that has no texts or does not exist. */
const absent: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA"]);
const mostTexts = 100;
const longestText = 1_024;

/**
 * Looks up the texts (TXT) of names. Questions go to the servers of the operator alone, whatever name is asked for; few are under way at
 * once, each has a deadline, and an answer has a bound.
 */
export function createTextLookup({ servers, timeoutMs = 5 * second }: LookupOptions) {
  const turns = createTurns({
    running: 8,
    waiting: 64,
    refusal: () => new AppError("unavailable", { retryAfterSeconds: 5 }),
  });

  async function ask(name: string): Promise<readonly string[]> {
    const { Resolver } = await import("node:dns/promises");
    // A resolver of its own for each question: nothing is answered from what was asked before.
    const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const found = await settle(resolver.resolveTxt(name), signal, 0);
      return found.map((strings) => strings.join(""));
    } catch (error) {
      if (absent.has(errorCode(error))) return [];
      throw new LookupFailure(signal.aborted ? "timeout" : errorCode(error), error);
    } finally {
      resolver.cancel();
    }
  }

  /** Returns the texts of a name; none where it has none. Throws LookupFailure, and `unavailable` where too many questions wait. */
  return (name: string): Promise<readonly string[]> =>
    turns.run(async () => {
      const texts = await ask(name);
      if (texts.length > mostTexts) throw new LookupFailure(`more than ${mostTexts} texts`);
      return texts.filter((text) => text.length <= longestText);
    });
}

export type TextLookup = ReturnType<typeof createTextLookup>;
