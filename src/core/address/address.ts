import ipaddr from "ipaddr.js";
import { addressFamily } from "./address.family.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface Block {
  readonly network: Address;
  /** How many leading bits an address must share with the network to be in the block. */
  readonly bits: number;
}

const longestAddress = 64;

/** Reads IPv4 in four decimal numbers, or IPv6 without a zone. An IPv4-mapped address (RFC 4291 §2.5.5.2) becomes the IPv4 address. */
function parse(text: string): Address | undefined {
  // The form is checked first because ipaddr.js also reads octal, hexadecimal and shortened forms of IPv4: one address would have many
  // spellings, and "010.0.0.1" is another address to another reader (RFC 6943 §3.1.1).
  const family = text.length > longestAddress || text.includes("%") ? 0 : addressFamily(text);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js takes "::1.2.3.4" for an IPv4-mapped address, but it is not one (RFC 4291 §2.5.5.1).
  const address = ipaddr.IPv6.parse(text.replace(/^::(?=\d+\.)/, "::0:"));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

const parseUnzoned = (text: string): Address | undefined => {
  const zone = text.indexOf("%");
  return parse(zone === -1 || !text.includes(":") ? text : text.slice(0, zone));
};

/**
 * Gives each address one spelling: IPv4-mapped IPv6 becomes IPv4, and zones are dropped, as are brackets and ports from a forwarding
 * header.
 */
export function normaliseAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(trimmed)?.[1];
  const withoutPort = bracketed ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  return parseUnzoned(withoutPort)?.toString();
}

/** Prefix lengths of the blocks that limits count by, each block inside the next. */
const prefixes = { ipv4: [24, 16], ipv6: [64, 56, 48, 32] } as const;

/**
 * The blocks that limits count by, smallest first: an IPv4 address, its /24 and its /16; or the /64 that one IPv6 customer has alone, and
 * the /56, /48 and /32 around it, which some customers also have alone.
 */
export function addressBuckets(address: string): readonly [string, ...string[]] {
  const parsed = parseUnzoned(address);
  if (parsed === undefined) return [address];
  const bytes = parsed.toByteArray();
  if (parsed.kind() === "ipv4") return [address, ...prefixes.ipv4.map((bits) => blockOf(bytes, bits))];
  const [customer, ...around] = prefixes.ipv6;
  return [blockOf(bytes, customer), ...around.map((bits) => blockOf(bytes, bits))];
}

/** How many leading bits of an address are kept. */
export interface AddressBits {
  readonly ipv4: number;
  readonly ipv6: number;
}

export const wholeAddress: AddressBits = { ipv4: 32, ipv6: 128 };

/** Returns undefined where addresses are kept as they are. */
export const shorteningBits = (bits: AddressBits): AddressBits | undefined =>
  bits.ipv4 === wholeAddress.ipv4 && bits.ipv6 === wholeAddress.ipv6 ? undefined : bits;

/** Returns an address with nothing but its leading bits; as it is where it is none. */
export function shortenedAddress(address: string, bits: AddressBits): string {
  const parsed = parseUnzoned(address);
  if (parsed === undefined) return address;
  const kept = bits[parsed.kind()];
  const masked = parsed.toByteArray().map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, kept - at * 8))));
  return ipaddr.fromByteArray(masked).toString();
}

/** The smallest of an address's `addressBuckets`. */
export const addressBucket = (address: string): string => addressBuckets(address)[0];

/** The block of an address in CIDR notation. `bits` must be a multiple of eight. */
const blockOf = (bytes: readonly number[], bits: number): string =>
  `${ipaddr.fromByteArray(bytes.map((byte, index) => (index * 8 < bits ? byte : 0))).toString()}/${bits}`;

function parseBlock(text: string): Block | undefined {
  const [address = "", prefix, ...rest] = text.split("/");
  const network = parse(address);
  if (network === undefined || rest.length > 0) return undefined;
  // An IPv4-mapped block is ambiguous: some readers count its prefix over 128 bits, others over 32.
  if (prefix !== undefined && network.kind() === "ipv4" && address.includes(":")) return undefined;
  const longest = network.kind() === "ipv4" ? 32 : 128;
  const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  return bits <= longest ? { network, bits } : undefined;
}

/** Whether a text is a block in CIDR notation (RFC 4632, RFC 4291 §2.3) or a single address. */
export const isBlock = (text: string): boolean => parseBlock(text) !== undefined;

/** The first and last address of a range, as 128-bit numbers. An IPv4 address counts as its IPv4-mapped form. */
export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Throws when the text is no CIDR block. */
export function rangeOfBlock(text: string): AddressRange {
  const { network, bits } = requireBlock(text);
  const [ipv6, prefix] = network.kind() === "ipv4" ? [asMapped(network), bits + 96] : [network, bits];
  const start = ipv6.toByteArray().reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  const size = 1n << BigInt(128 - prefix);
  const first = start - (start % size);
  return { first, last: first + size - 1n };
}

function requireBlock(text: string): Block {
  const block = parseBlock(text);
  if (block === undefined) throw new Error(`"${text}" is not a CIDR block`);
  return block;
}

const asMapped = (address: Address): Address => ipaddr.IPv6.parse(`::ffff:${address.toString()}`);

/** Returns a function that tells whether an address is in one of the blocks. Throws when a text is no CIDR block. */
export function createBlockMatcher(texts: readonly string[]): (address: string) => boolean {
  const blocks = texts.map(requireBlock);
  if (blocks.length === 0) return () => false;
  return (text) => {
    const address = parseUnzoned(text);
    return address !== undefined && blocks.some((block) => isIn(address, block));
  };
}

/** Whether an address is a loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export const isLoopback = createBlockMatcher(["127.0.0.0/8", "::1"]);

/** Compares an IPv4 address with an IPv6 block in its IPv4-mapped form, so that `::/0` contains every address. */
function isIn(address: Address, { network, bits }: Block): boolean {
  if (address.kind() === network.kind()) return address.match(network, bits);
  return address.kind() === "ipv4" && isIn(asMapped(address), { network, bits });
}
