import type { BuildInfo } from "../core/build.ts";

// build.ts defines these constants in a binary. They are absent when the source tree runs as it is.
declare const GATEHOUSE_VERSION: string;
declare const GATEHOUSE_REVISION: string;

export const build: BuildInfo = {
  version: typeof GATEHOUSE_VERSION === "undefined" ? "0.0.0-source" : GATEHOUSE_VERSION,
  revision: typeof GATEHOUSE_REVISION === "undefined" ? "source" : GATEHOUSE_REVISION,
};
