// What `bun run make:breached` has written. Nothing is built where it is missing.
import path from "./breached.passwords.bin" with { type: "file" };
import { readFilter, type BreachedFilter } from "./breached.filter.ts";

/** Passwords known from breaches, from the binary itself: nobody outside is asked. */
export const loadBreachedPasswords = async (): Promise<BreachedFilter> => readFilter(await Bun.file(path).bytes());
