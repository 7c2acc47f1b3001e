/** The code of a thrown system error, such as `ENOENT`; to be shown or compared, so that an error without one has words too. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
