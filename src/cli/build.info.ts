import type { BuildInfo } from "../core/build.ts";

// Put in by build.ts. Absent when the sources run as they are.
declare const GATEHOUSE_VERSION: string;
declare const GATEHOUSE_REVISION: string;

export const build: BuildInfo = {
  version: typeof GATEHOUSE_VERSION === "undefined" ? "0.0.0-source" : GATEHOUSE_VERSION,
  revision: typeof GATEHOUSE_REVISION === "undefined" ? "source" : GATEHOUSE_REVISION,
};
