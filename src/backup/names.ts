import type { Millis } from "../core/clock.ts";
import { deriveKey, hexMac } from "../core/crypto.ts";

/** The owner of copies. Installations can share a disk, and must not delete each other's copies. */
export interface Installation {
  /** The app that makes the copies, as manifests name it. */
  readonly name: string;
  readonly key: string;
  readonly env: string;
}

/** Returns the tag of the installation in file names. Its two apps share one database, so nothing of the app is part of the tag. */
export const tagOf = ({ key, env }: Pick<Installation, "key" | "env">): string =>
  `${env}-${hexMac(deriveKey(key, "backup"), env).slice(0, 8)}`;

/** Formats a time as `20261121T034000Z`, which sorts by time and is allowed in file names everywhere. */
export const stamp = (at: Millis): string => `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** Returns the time that `stamp` wrote, to the second. */
export const stampedTime = (text: string): Millis =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));

export const sealedEnding = ".age";
