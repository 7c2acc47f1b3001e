/** An area of the network that attackers send from: returns the address of the attacker with that number, from 0. */
export type Area = (number: number) => string;

const scattered = (addresses: number): Area => {
  // Each address is in its own /16, as far as there are enough.
  return (number) => {
    const each = number % addresses;
    return `${11 + (each % 100)}.${Math.floor(each / 100)}.7.9`;
  };
};

/** Areas by what an attacker has rented. Nobody else is in these blocks. */
export const areas = {
  "one /64": (number) => `2001:db8:a::${(1 + (number % 65_000)).toString(16)}`,
  "one /56": (number) => `2001:db8:a:${(number % 256).toString(16)}::1`,
  // Each number has another /56, and no /64 comes again soon.
  "one /48": (number) => `2001:db8:a:${((number * 257) % 65_536).toString(16)}::1`,
  "70 IPv4 addresses": scattered(70),
  "700 IPv4 addresses": scattered(700),
} as const satisfies Readonly<Record<string, Area>>;

/** An address of somebody who shares no block with an attacker or anybody else. */
export const elsewhere: Area = (number) => `198.${number % 200}.${Math.floor(number / 200) % 200}.20`;

/** Returns headers that make a request come from that address, if this host is a trusted proxy. */
export const from = (address: string) => ({ "x-forwarded-for": address });
