import { addressFamily } from "../core/address/address.family.ts";
import { normaliseAddress } from "../core/address/address.ts";
import { errorCode } from "../core/errors.ts";
import { reachOf } from "../core/address/reach.ts";
import { hostOf } from "../core/address/url.parts.ts";
import { Undelivered } from "./undelivered.ts";

export type Resolve = (host: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (host) => {
  const { lookup } = await import("node:dns/promises");
  return (await lookup(host, { all: true, order: "verbatim" })).map(({ address }) => address);
};

const mostAddresses = 4;

/**
 * Returns the addresses behind a URL, to be connected to as they are: a name that is looked up a second time may lead elsewhere (DNS
 * rebinding). One forbidden address among them forbids all; private networks and this machine are forbidden unless `allowPrivate`. IPv4
 * comes first, since it is reached nearly everywhere.
 */
export async function addressesOf(url: URL, resolve: Resolve, allowPrivate: boolean) {
  const host = hostOf(url);
  const found = addressFamily(host) === 0 ? await resolved(host, resolve) : [host];
  const addresses = found.slice(0, mostAddresses).map((address) => normaliseAddress(address) ?? "");
  const isAllowed = (address: string): boolean => {
    const reach = reachOf(address);
    return reach === "public" || (reach === "private" && allowPrivate);
  };
  if (!addresses.every(isAllowed))
    throw new Undelivered("forbidden_address", "its URL leads to an address that webhooks must not call");
  return addresses.toSorted((a, b) => addressFamily(a) - addressFamily(b));
}

async function resolved(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    const found = await resolve(host);
    if (found.length > 0) return found;
  } catch (cause) {
    throw new Undelivered("unreachable", `its host was not found (${errorCode(cause)})`, { cause });
  }
  throw new Undelivered("unreachable", "its host has no address");
}
