import { addressFamily } from "./address.family.ts";
import { createBlockMatcher, normaliseAddress, rangeOfBlock } from "./address.ts";
import { lazily } from "../pace/lazily.ts";

/** IPv4 blocks that belong to nobody on the internet (special-purpose registry of IANA, RFC 6890). */
export const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "224.0.0.0/3",
] as const;
/** The only block of IPv6 that is assigned on the internet (RFC 4291 §2.4): mapped, translated and local addresses lie outside. */
export const globalIpv6 = "2000::/3";

/** Reads its blocks on first use: most processes never ask how far an address reaches. */
function oneOf(blocks: readonly string[]): (address: string) => boolean {
  const matcher = lazily(() => createBlockMatcher(blocks));
  return (address) => matcher()(address);
}

const isSpecialIpv4 = oneOf(specialIpv4);
const isGlobalIpv6 = oneOf([globalIpv6]);
/** Exceptions within `globalIpv6`: protocols such as Teredo, examples, and 6to4, which leads to an IPv4 address of the sender's choice. */
const isSpecialIpv6 = oneOf(["2001::/23", "2001:db8::/32", "2002::/16"]);
/** Addresses of the machine itself, and of networks that companies and providers number for themselves (RFC 1918, 6598, 4193). */
const isOwnNetwork = oneOf([
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::1/128",
  "fc00::/7",
]);
/** Addresses at which clouds hand a machine its credentials, although they are in private networks or, at Azure, on the internet. */
const isMetadata = oneOf(["100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32"]);
/** IPv6 addresses that carry an IPv4 address in their last 32 bits (NAT64, RFC 6052 §2.1). */
const isTranslated = oneOf(["64:ff9b::/96"]);

/**
 * How far an address reaches: `public` is the internet, `private` a private network or this machine. `none` covers link-local, multicast
 * and unspecified addresses and the metadata services of clouds.
 */
export type Reach = "public" | "private" | "none";

function translatedIpv4(address: string): string {
  const bits = Number(rangeOfBlock(address).first & 0xffff_ffffn);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
}

/** Returns `none` for a text that is no address. */
export function reachOf(text: string): Reach {
  const address = normaliseAddress(text);
  if (address === undefined) return "none";
  if (isTranslated(address)) return reachOf(translatedIpv4(address));
  if (isMetadata(address)) return "none";
  if (isOwnNetwork(address)) return "private";
  const isPublic =
    addressFamily(address) === 4 ? !isSpecialIpv4(address) : isGlobalIpv6(address) && !isSpecialIpv6(address);
  return isPublic ? "public" : "none";
}
