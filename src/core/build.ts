import type { Millis } from "./clock.ts";

export interface BuildInfo {
  readonly version: string;
  readonly revision: string;
  /** The time of the sources; undefined where they run as they are. */
  readonly at?: Millis | undefined;
}
