import { addressFamily } from "../../core/address/address.family.ts";
import { isLoopback, rangeOfBlock, type AddressRange } from "../../core/address/address.ts";
import { globalIpv6, reachOf, specialIpv4, type Reach } from "../../core/address/reach.ts";
import { hostOf } from "../../core/address/url.parts.ts";

const isLocalName = (host: string): boolean => /(?:^|\.)localhost\.?$/i.test(host);

/** Whether a URL names this machine: a loopback address, or a name that always means one (RFC 6761 §6.3). */
export function isLoopbackHost(url: URL): boolean {
  // The parser normalises only http's hosts: `redis://127.1` would keep its spelling.
  const host = hostOf(URL.parse(`http://${url.host}`) ?? url);
  return addressFamily(host) === 0 ? isLocalName(host) : isLoopback(host);
}

/** Returns how far the host of a URL reaches, judged by its spelling: names are not looked up. */
export function reachOfHost(url: URL): Reach {
  const host = hostOf(url);
  if (addressFamily(host) !== 0) return reachOf(host);
  return isLocalName(host) ? "private" : "public";
}

/** Whether a URL names, by address, a private machine or network, or this machine. Other names are not looked up. */
export const isPrivateHost = (url: URL): boolean => reachOfHost(url) !== "public";

/** The internet's addresses in IPv4 and in IPv6: all of `whole` except those of `without`. */
const internets = [
  { whole: rangeOfBlock("0.0.0.0/0"), without: specialIpv4.map(rangeOfBlock) },
  { whole: rangeOfBlock(globalIpv6), without: [] },
] as const;
/** A part of the internet that must hold strangers: no company has one address in 256. */
const largePart = 256n;

/** Joins overlapping ranges. The result holds the same addresses. */
function joinRanges(ranges: readonly AddressRange[]): readonly AddressRange[] {
  const joined: AddressRange[] = [];
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = joined.at(-1);
    if (before === undefined || range.first > before.last) joined.push(range);
    else if (range.last > before.last) joined[joined.length - 1] = { first: before.first, last: range.last };
  }
  return joined;
}

/** Counts the addresses of disjoint ranges inside another range. */
const countWithin = (ranges: readonly AddressRange[], { first, last }: AddressRange): bigint =>
  ranges
    .map((range) => (range.last < last ? range.last : last) - (range.first > first ? range.first : first) + 1n)
    .reduce((sum, size) => (size > 0n ? sum + size : sum), 0n);

/** Whether the blocks together hold a large part of the internet's addresses. */
export function holdsInternet(blocks: readonly string[]): boolean {
  const ranges = joinRanges(blocks.map(rangeOfBlock));
  return internets.some(({ whole, without }) => {
    const countPublic = (held: readonly AddressRange[]): bigint =>
      without.reduce((count, special) => count - countWithin(held, special), countWithin(held, whole));
    return countPublic(ranges) * largePart >= countPublic([whole]);
  });
}
