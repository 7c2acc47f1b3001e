/** Returns the code of a system error, such as `ENOENT`, to be shown or compared; "unknown error" when there is none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown error";
