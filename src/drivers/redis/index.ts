/** A server, and the authorities that vouch for its certificate. */
export interface RedisServer {
  /** `redis://user:password@host:6379/0`, or `rediss://` with TLS. */
  readonly url: string;
  /** A PEM file of authorities in place of the system's. */
  readonly caFile: string | undefined;
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
