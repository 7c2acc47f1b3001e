// The file is written by `bun run make:breached`. No build succeeds without it.
import path from "./breached.passwords.bin" with { type: "file" };
import { readFilter, type BreachedFilter } from "./breached.filter.ts";

/** Loads passwords known from breaches from the binary itself: no outside service is asked. */
export const loadBreachedPasswords = async (): Promise<BreachedFilter> => readFilter(await Bun.file(path).bytes());
