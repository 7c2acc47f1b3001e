import { deriveKey, mac } from "../core/crypto.ts";

interface AppIdentity {
  readonly key: string;
  readonly env: string;
  readonly name: string;
}

/**
 * Where the state of one app in one environment lies in a store that others may share (SEED §8). One-way, so that the
 * store tells nothing about APP_KEY; another key or environment starts with maintenance off.
 */
export const stateKey = ({ key, env, name }: AppIdentity): string =>
  `maintenance:${mac(deriveKey(key, "maintenance"), JSON.stringify([env, name]))}`;
