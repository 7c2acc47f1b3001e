import type { ServerPlace } from "../../core/address/url.parts.ts";

/** Programs that watch a primary and its replicas, and name the one that is primary now. */
export interface RedisSentinels {
  readonly places: readonly ServerPlace[];
  /** The name by which they know the primary. */
  readonly name: string;
  /** Their own login; without a password they are asked without one. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** A server, and the authorities that vouch for its certificate. */
export interface RedisServer {
  /**
   * `redis://user:password@host:6379/0`, or `rediss://` with TLS. Where the host is the name of the sentinels, they say host and port, and
   * are asked over TLS as well.
   */
  readonly url: string;
  /** A PEM file of authorities in place of the system's. */
  readonly caFile: string | undefined;
  readonly sentinels?: RedisSentinels | undefined;
}

/** Thrown when the server can't do what was asked. The message holds no credentials and no data. */
export class RedisUnavailable extends Error {
  /** The first word of the server's error, such as `OOM` or `NOPERM`; undefined where it gave no answer. */
  readonly reply: string | undefined;

  constructor(message: string, options: { readonly cause?: unknown; readonly reply?: string | undefined } = {}) {
    super(message, { cause: options.cause });
    this.name = "RedisUnavailable";
    this.reply = options.reply;
  }
}
