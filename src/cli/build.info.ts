import type { BuildInfo } from "../core/build.ts";

// build.ts defines these constants in a binary. They are absent when the source tree runs as it is.
declare const GATEHOUSE_VERSION: string;
declare const GATEHOUSE_REVISION: string;
declare const GATEHOUSE_TIME: number;

export const build: BuildInfo = {
  version: typeof GATEHOUSE_VERSION === "undefined" ? "0.0.0-source" : GATEHOUSE_VERSION,
  revision: typeof GATEHOUSE_REVISION === "undefined" ? "source" : GATEHOUSE_REVISION,
  at: typeof GATEHOUSE_TIME === "undefined" ? undefined : GATEHOUSE_TIME,
};
