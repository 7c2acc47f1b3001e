import { readFileSync } from "node:fs";
import { second } from "../../core/clock.ts";
import { readRedisUrl, redisLocation, sentinelsOf } from "./address.ts";
import type { RedisServer } from "./index.ts";
import { createRedisLink } from "./link.ts";
import { createPrimaryLink } from "./primary.ts";
import { createSentinels, type Sentinels } from "./sentinels.ts";

const connectMs = second;
/** With `connectMs`, less than the two seconds that readiness gives to a check. */
const probeMs = 0.8 * second;

export type RedisConnection = ReturnType<typeof createRedisConnection>;

/**
 * Makes a connection to a server, or to the one that its sentinels name, by the next command whenever there is none. Throws where the file
 * of authorities can't be read. The server is not asked before it is needed.
 */
export function createRedisConnection(server: RedisServer) {
  const { url } = server;
  const ca = readAuthorities(server.caFile);
  const sentinels = sentinelsOf(server);
  const named = `Redis at ${redisLocation(server)}: `;
  const { send, close } =
    sentinels === undefined
      ? createRedisLink({ find: () => url, named: () => named, ca, connectMs, probeMs })
      : createPrimaryLink({ url, sentinels, ca });

  return {
    /**
     * Sends one command. Rejects with RedisUnavailable: at once while the server is known to be away, and otherwise within the time, a
     * second by default.
     */
    send,
    /** Rejects with the reason where the server does not answer. */
    async ping(): Promise<void> {
      await send("PING", []);
    },
    /** Rejects with the reason where the server takes no writes: it is full, or a replica. Writes the key, which expires. */
    async checkWritable(key: string): Promise<void> {
      await send("SET", [key, "", "PX", String(second)]);
    },
    close,
  };
}

/** Asks the sentinels to which a server's URL leads; undefined where it has an address. */
export function openSentinels(server: RedisServer): Sentinels | undefined {
  const settings = sentinelsOf(server);
  if (settings === undefined) return undefined;
  return createSentinels({ ...settings, tls: readRedisUrl(server.url).tls, ca: readAuthorities(server.caFile) });
}

/**
 * Returns the certificates in the file of `REDIS_CA_FILE`; undefined where the system's are to be used. Throws where the file can't be
 * read.
 */
function readAuthorities(caFile: string | undefined): string | undefined {
  if (caFile === undefined) return undefined;
  try {
    return readFileSync(caFile, "utf8");
  } catch (error) {
    throw new Error("the file that REDIS_CA_FILE names can't be read", { cause: error });
  }
}
