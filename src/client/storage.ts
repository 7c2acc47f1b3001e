import type { Tokens } from "./model.ts";

/** What a client that is no browser keeps of a session. */
export interface Kept {
  /** Undefined while nobody is signed in. */
  session?: Tokens & {
    /** By the clock of this machine, in milliseconds since 1970. */
    access_expires_at: number;
  };
  /** Shows that the account has signed in here before, so that wrong passwords of strangers don't lock it out here. Outlives the session. */
  device_token?: string;
}

/** Where it keeps that, such as the keychain of a phone. All of it is secret. What these functions throw, the calls throw. */
export interface TokenStorage {
  load(): Kept | null | Promise<Kept | null>;
  save(kept: Kept): void | Promise<void>;
  clear(): void | Promise<void>;
}
