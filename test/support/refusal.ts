import { AppError } from "../../src/core/errors.ts";

/** The code that the work was refused with; undefined when it was done. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.reason;
    throw error;
  }
}
