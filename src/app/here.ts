import { addressFamily } from "../core/address/address.family.ts";

/** Addresses that mean every address of this machine, and those that browsers find under `localhost`. */
const foundByName: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1", "0.0.0.0", "::"]);

/** Returns the address of a process that listens there, for a browser on this machine. */
export function hereOf(host: string, port: number): string {
  const name = foundByName.has(host) ? "localhost" : addressFamily(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
