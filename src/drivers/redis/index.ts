/** A server, and the authorities that vouch for its certificate. */
export interface RedisServer {
  /** `redis://user:password@host:6379/0`, or `rediss://` with TLS. */
  readonly url: string;
  /** A PEM file of authorities in place of the system's. */
  readonly caFile: string | undefined;
}

/** One connection to a server, made when it is first used and made again after it was lost. */
export interface RedisConnection {
  /**
   * Sends one command. Rejects with RedisUnavailable: at once while the server is known to be away, and otherwise within the time, a second
   * by default.
   */
  send(command: string, args: readonly string[], withinMs?: number): Promise<unknown>;
  /** Rejects with the reason where the server does not answer. */
  ping(): Promise<void>;
  /** Rejects with the reason where the server takes no writes: it is full, or a replica. Writes the key, which expires. */
  checkWritable(key: string): Promise<void>;
  close(): void;
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
