import { deriveKey, mac } from "../core/crypto.ts";

/**
 * The key under which a store that others may share keeps the state of one app in one environment. It is one-way, so that
 * the store tells nothing about APP_KEY. An app with another key or environment starts with maintenance off.
 */
export const stateKey = ({ key, env, name }: Readonly<Record<"key" | "env" | "name", string>>): string =>
  `maintenance:${mac(deriveKey(key, "maintenance"), JSON.stringify([env, name]))}`;
