import { readFileSync } from "node:fs";

/**
 * Returns the certificates in the file of `REDIS_CA_FILE`; undefined where the system's are to be used. Throws where the file can't be
 * read.
 */
export function readAuthorities(caFile: string | undefined): string | undefined {
  if (caFile === undefined) return undefined;
  try {
    return readFileSync(caFile, "utf8");
  } catch (error) {
    throw new Error("the file that REDIS_CA_FILE names can't be read", { cause: error });
  }
}
