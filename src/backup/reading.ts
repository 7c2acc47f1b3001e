import type { Examined } from "./archive.ts";
import { measure, type Measured } from "./manifest.ts";

interface Read extends Examined {
  readonly measured: Measured;
}

interface ReadingOptions {
  readonly examine: (path: string) => Promise<Examined>;
}

/** Reads what a manifest says of a copy while that is checked: hashing a gigabyte takes most of a second. */
export function createReading({ examine }: ReadingOptions) {
  let found: Read | undefined;
  return {
    async read(copy: string, signal: AbortSignal): Promise<void> {
      found = { ...(await examine(copy)), measured: await measure(copy, { signal }) };
    },
    found(): Read {
      if (found === undefined) throw new Error("the copy was not read");
      return found;
    },
  };
}
