/** A failure on this host: the reason, and what the operator can do about it. Each is a sentence without its full stop. */
export class HostFailure extends Error {
  readonly advice: string;

  constructor(reason: string, advice: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "HostFailure";
    this.advice = advice;
  }
}

/** Returns the kernel's error code, such as ENOSPC. */
export const kernelCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Resolves to undefined if the file or folder is absent. */
export const ifThere = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (kernelCode(error) === "ENOENT") return undefined;
    throw error;
  });

/** Says what the operator can do about a failed file operation. A HostFailure is returned unchanged. */
export function explainFileError(error: unknown, path: string): HostFailure {
  if (error instanceof HostFailure) return error;
  const again = "then run this again";
  switch (kernelCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return new HostFailure(`the disk of ${path} is full`, `make room there, ${again}`, { cause: error });
    case "EROFS":
      return new HostFailure(`the disk of ${path} is read-only`, `mount it for writing, ${again}`, { cause: error });
    case "EACCES":
    case "EPERM":
      return new HostFailure(`${path} can't be written`, `run this as root, or see lsattr ${path}`, { cause: error });
    default: {
      const said = error instanceof Error ? error.message : String(error);
      return new HostFailure(`${path} can't be written: ${said}`, `mend that, ${again}`, { cause: error });
    }
  }
}
