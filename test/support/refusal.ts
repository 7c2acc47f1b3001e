import { AppError } from "../../src/core/errors.ts";

/** Resolves to the code of the refusal; undefined if the work succeeded. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.reason;
    throw error;
  }
}
