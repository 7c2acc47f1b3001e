import type { PasswordCost } from "../../src/auth/index.ts";

/**
 * What apps in the test's process hash passwords with, unless the test is about hashing: at what is shipped, hashes are a large part of the
 * work of all tests. Binaries can't be made to, and hash as shipped.
 */
export const cheapHashes: PasswordCost = { memoryKiB: 64, passes: 1 };
