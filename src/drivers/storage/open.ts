import type { Clock } from "../../core/clock.ts";
import type { Storage } from "./index.ts";
import { createLocalStorage } from "./local.ts";

export interface OpenStorageOptions {
  readonly config: { readonly driver: "local"; readonly path: string };
  readonly name: string;
  readonly clock: Clock;
}

/** The only switch on the names of storage drivers. */
export function openStorage({ config, name, clock }: OpenStorageOptions): Storage {
  switch (config.driver) {
    case "local":
      return createLocalStorage({ name, path: config.path, clock });
  }
}
