import { BlockList } from "node:net";

/** Eight 16-bit groups; IPv4 is held as its IPv4-mapped IPv6 form (RFC 4291 §2.5.5.2). */
type Groups = readonly number[];

const dottedQuad = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const hexGroup = /^[0-9a-f]{1,4}$/i;
const longestAddress = 64;

function parseIpv4(text: string): readonly [number, number] | undefined {
  const bytes = dottedQuad.exec(text)?.slice(1).map(Number);
  if (bytes === undefined || bytes.some((byte) => byte > 255)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return [a * 256 + b, c * 256 + d];
}

function parseHalf(text: string): number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    const embedded = index === parts.length - 1 ? parseIpv4(part) : undefined;
    if (embedded !== undefined) groups.push(...embedded);
    else if (hexGroup.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function parseGroups(text: string): Groups | undefined {
  if (text.length > longestAddress) return undefined;
  const ipv4 = parseIpv4(text);
  if (ipv4 !== undefined) return [0, 0, 0, 0, 0, 0xffff, ...ipv4];
  const zone = text.indexOf("%");
  const halves = (zone === -1 ? text : text.slice(0, zone)).split("::");
  if (halves.length > 2) return undefined;
  const head = parseHalf(halves[0] ?? "");
  const tail = parseHalf(halves[1] ?? "");
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}

const isMapped = (groups: Groups): boolean => groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;

/** RFC 5952: lower case, no leading zeros, the longest run of zeros (two or more, the first of equals) shortened. */
function formatIpv6(groups: Groups): string {
  let start = -1;
  let length = 1;
  for (let at = 0; at < groups.length; at++) {
    let end = at;
    while (groups[end] === 0) end++;
    if (end - at > length) [start, length] = [at, end - at];
    if (end > at) at = end;
  }
  const hex = groups.map((group) => group.toString(16));
  return start === -1 ? hex.join(":") : `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

function format(groups: Groups): string {
  if (!isMapped(groups)) return formatIpv6(groups);
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** One spelling an address: IPv4-mapped IPv6 is IPv4, zones go, brackets and ports of a forwarding header too. */
export function normaliseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(trimmed)?.[1];
  const withoutPort = bracketed ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  const groups = parseGroups(withoutPort);
  return groups && format(groups);
}

/** What limits count by: an IPv4 address, or the /64 that one IPv6 customer has to itself. */
export function addressBucket(address: string): string {
  const groups = parseGroups(address);
  if (groups === undefined || isMapped(groups)) return address;
  return `${formatIpv6([...groups.slice(0, 4), 0, 0, 0, 0])}/64`;
}

/** Throws when a block is not CIDR: a proxy trusted by mistake, or not at all, must stop the start. */
export function createTrustedProxies(blocks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = "", prefix] = block.split("/");
    const address = normaliseAddress(network);
    const family = address?.includes(":") === true ? "ipv6" : "ipv4";
    const longest = family === "ipv6" ? 128 : 32;
    const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (address === undefined || !(bits <= longest)) throw new Error(`trusted proxy "${block}" is not a CIDR block`);
    list.addSubnet(address, bits, family);
  }
  return (address) => blocks.length > 0 && list.check(address, address.includes(":") ? "ipv6" : "ipv4");
}
