import { addressFamily } from "../../core/address/address.family.ts";
import { isLoopback, rangeOfBlock, type AddressRange } from "../../core/address/address.ts";
import { globalIpv6, reachOf, specialIpv4, type Reach } from "../../core/address/reach.ts";
import { hostOf } from "../../core/address/url.parts.ts";

const isLocalName = (host: string): boolean => /(?:^|\.)localhost\.?$/i.test(host);

/** Whether a URL names this machine to itself: a loopback address, or a name that is one everywhere (RFC 6761 §6.3). */
export function isLoopbackHost(url: URL): boolean {
  // Only http's hosts are brought into one form: `redis://127.1` keeps its spelling.
  const host = hostOf(URL.parse(`http://${url.host}`) ?? url);
  return addressFamily(host) === 0 ? isLocalName(host) : isLoopback(host);
}

/** How far the host of a URL reaches, as far as its spelling tells: names are not looked up. */
export function reachOfHost(url: URL): Reach {
  const host = hostOf(url);
  if (addressFamily(host) !== 0) return reachOf(host);
  return isLocalName(host) ? "private" : "public";
}

/** Whether a URL names a machine or a network of its own by address, or this machine. Other names are not looked up. */
export const isPrivateHost = (url: URL): boolean => reachOfHost(url) !== "public";

/** The addresses on the internet, by the two ways to reach them: all of `whole` but those of `without`. */
const internets = [
  { whole: rangeOfBlock("0.0.0.0/0"), without: specialIpv4.map(rangeOfBlock) },
  { whole: rangeOfBlock(globalIpv6), without: [] },
] as const;
/** No company has one address in 256 of the internet's: a range of that size holds strangers. */
const largePart = 256n;

/** Ranges that lie apart, with the same addresses in them. */
function joinRanges(ranges: readonly AddressRange[]): readonly AddressRange[] {
  const joined: AddressRange[] = [];
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = joined.at(-1);
    if (before === undefined || range.first > before.last) joined.push(range);
    else if (range.last > before.last) joined[joined.length - 1] = { first: before.first, last: range.last };
  }
  return joined;
}

/** How many addresses the ranges, which lie apart, have inside another one. */
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
