import { HostFailure } from "./host.failure.ts";

/** What is known of the caller. */
export interface Caller {
  readonly isRoot: () => boolean;
  /** The line of a shell that calls the same command once more. Undefined where nobody has typed one. */
  readonly line: string | undefined;
}

/** What a caller can do who is not root: the whole line, to be copied. */
export const asRoot = ({ line }: Pick<Caller, "line">): string =>
  line === undefined ? "run it as root, such as with sudo" : `run it as root: sudo ${line}`;

/** Throws if the caller is not root. */
export function requireRoot(caller: Caller): void {
  if (!caller.isRoot()) throw new HostFailure("this is not run by root", asRoot(caller));
}
