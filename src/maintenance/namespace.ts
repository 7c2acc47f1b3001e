import { deriveKey, mac } from "../core/crypto.ts";

interface AppIdentity {
  readonly key: string;
  readonly env: string;
  readonly name: string;
}

/**
 * The key under which a store that others may share keeps the state of one app in one environment. It is one-way, so that
 * the store tells nothing about APP_KEY. An app with another key or environment starts with maintenance off.
 */
export const stateKey = ({ key, env, name }: AppIdentity): string =>
  `maintenance:${mac(deriveKey(key, "maintenance"), JSON.stringify([env, name]))}`;
