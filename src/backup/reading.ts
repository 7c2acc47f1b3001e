import { measure, type Measured } from "./manifest.ts";

export interface Examined {
  /** The last migration that was applied to the copy. */
  readonly schema: string;
  /** Things in the copy that no migration made, in words. No restore takes such a backup. */
  readonly strange: readonly string[];
}

interface Read extends Examined {
  readonly measured: Measured;
}

interface ReadingOptions {
  readonly examine: (path: string) => Promise<Examined>;
}

/** Reads what a manifest says of a copy, once, while that is checked: hashing a gigabyte takes most of a second. */
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
