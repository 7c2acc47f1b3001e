import { second, type Clock, type Millis } from "../../core/clock.ts";
import type { Client } from "./client.ts";

interface OriginOptions {
  readonly list: () => Promise<readonly Client[]>;
  readonly clock: Clock;
}

const freshMs = 5 * second;

/** Knows the origins of clients that run in browsers: their scripts may read answers. A new client counts within five seconds. */
export function createBrowserOrigins({ list, clock }: OriginOptions) {
  let known: { readonly at: Millis; readonly origins: Promise<ReadonlySet<string>> } | undefined;

  async function read(): Promise<ReadonlySet<string>> {
    const browsers = (await list()).filter(({ settings }) => settings.type === "browser");
    return new Set(browsers.flatMap(({ settings }) => settings.redirect_uris.map((uri) => new URL(uri).origin)));
  }

  return async function isBrowserOrigin(origin: string): Promise<boolean> {
    const now = clock.now();
    if (known === undefined || Math.abs(now - known.at) > freshMs) {
      const made = { at: now, origins: read() };
      known = made;
      made.origins.catch(() => {
        if (known === made) known = undefined;
      });
    }
    return (await known.origins).has(origin);
  };
}
