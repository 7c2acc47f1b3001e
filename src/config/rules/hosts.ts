import { isIP } from "node:net";
import { createBlockMatcher } from "../../core/address.ts";

/** What is nobody's address on the internet (the special-purpose registries of IANA, RFC 6890). */
const isSpecial = createBlockMatcher([
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
]);
/** Of IPv6 only this is given out (RFC 4291 §2.4): what is mapped, translated or local lies outside. */
const isGlobalIpv6 = createBlockMatcher(["2000::/3"]);

const isLocalName = (host: string): boolean => /(?:^|\.)localhost\.?$/i.test(host);
const isLoopback = createBlockMatcher(["127.0.0.0/8", "::1/128"]);
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/** Whether a URL names this machine to itself: a loopback address, or a name that is one everywhere (RFC 6761 §6.3). */
export function isLoopbackHost(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? isLocalName(host) : isLoopback(host);
}

/** Whether a URL names a machine or a network of its own by address, or this machine. Other names are not looked up. */
export function isPrivateHost(url: URL): boolean {
  const host = hostOf(url);
  const family = isIP(host);
  if (family === 0) return isLocalName(host);
  return family === 6 ? !isGlobalIpv6(host) : isSpecial(host);
}
