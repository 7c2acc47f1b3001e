import { createLocalJWKSet, type JWTVerifyGetKey } from "jose";
import { second, type Clock, type Millis } from "../../core/clock.ts";
import { byAnyOf, createRemoteKeys, type RemoteKeys } from "../../core/keys/remote.keys.ts";
import { jsonAs } from "../../core/text/json.ts";
import { KeySet, type Client } from "./client.ts";
import { createLane, TooMany } from "./lanes.ts";
import type { Reader } from "./published.ts";

interface ClientKeyOptions {
  readonly read: Reader;
  /** Whether keys may be read without TLS: only in local and testing. */
  readonly plainHttp: boolean;
  readonly clock: Clock;
}

const mostBytes = 64 * 1024;
/** How many clients have their keys kept in a process; the one that was kept first goes. */
const mostKept = 1_000;
/** How long an address that could not be read is left alone: anybody can name a client that has it. */
const restMs = 5 * second;

function bounded<Value>(map: Map<string, Value>): Map<string, Value> {
  const [oldest] = map.keys();
  if (map.size >= mostKept && oldest !== undefined) map.delete(oldest);
  return map;
}

/** Keeps the keys that addresses have. `allowPrivate`: whether these may be of a private network, as those are that operators write. */
function createShelf({ read, plainHttp, clock }: ClientKeyOptions, allowPrivate: boolean) {
  const kept = new Map<string, RemoteKeys>();
  const failed = new Map<string, { readonly at: Millis; readonly error: unknown }>();
  const inTurn = createLane();

  async function load(url: string) {
    if (!plainHttp && !url.startsWith("https:")) throw new Error("keys are read by https alone");
    const before = failed.get(url);
    if (before !== undefined && Math.abs(clock.now() - before.at) < restMs) throw before.error;
    const at = new URL(url);
    try {
      const found = await inTurn(at, { path: [at.host] }, () => read(url, { allowPrivate, mostBytes }));
      if (jsonAs(KeySet, found.text) === undefined) throw new Error("it is no set of keys");
      failed.delete(url);
      return found;
    } catch (error) {
      // For want of a turn nothing was learned of the address.
      if (!(error instanceof TooMany)) bounded(failed).set(url, { at: clock.now(), error });
      throw error;
    }
  }

  return function keysAt(url: string): RemoteKeys {
    const known = kept.get(url);
    if (known !== undefined) return known;
    const tooMany = (most: number): Error => new Error(`it has more than ${most} keys`);
    const keys = createRemoteKeys({ url, load, tooMany, clock });
    bounded(kept).set(url, keys);
    return keys;
  };
}

/** Keeps the public keys of clients, and returns the way to verify what one has signed (RFC 7523 §3). */
export function createClientKeys(options: ClientKeyOptions) {
  // Who wrote an address decides where it may lead, and strangers take neither places nor time from operators' own clients.
  const [ofOperators, ofStrangers] = [createShelf(options, true), createShelf(options, options.plainHttp)];

  /** Verifies by the keys of a client. Rejects where it has none that fit. */
  return async function verifyByKeysOf<T>(client: Client, verify: (key: JWTVerifyGetKey) => Promise<T>): Promise<T> {
    const { jwks_uri: url } = client.settings;
    if (client.jwks !== undefined) return byAnyOf(createLocalJWKSet(client.jwks), verify);
    if (url === null) throw new Error("the client has published no keys");
    return (client.origin === "operator" ? ofOperators : ofStrangers)(url)(verify);
  };
}

export type VerifyByKeysOf = ReturnType<typeof createClientKeys>;
