/** A place in the network that attackers send from: the address of the attacker with that number, from 0. */
export type Area = (number: number) => string;

const scattered = (addresses: number): Area => {
  // Each in a /16 of its own, as far as there are as many.
  return (number) => {
    const each = number % addresses;
    return `${11 + (each % 100)}.${Math.floor(each / 100)}.7.9`;
  };
};

/** By what an attacker has rented. Nobody else is in these blocks. */
export const areas = {
  "one /64": (number) => `2001:db8:a::${(1 + (number % 65_000)).toString(16)}`,
  "one /56": (number) => `2001:db8:a:${(number % 256).toString(16)}::1`,
  // Another /56 each time, and a /64 that has not come for long.
  "one /48": (number) => `2001:db8:a:${((number * 257) % 65_536).toString(16)}::1`,
  "70 IPv4 addresses": scattered(70),
  "700 IPv4 addresses": scattered(700),
} as const satisfies Readonly<Record<string, Area>>;

/** Somebody who is in no block of an attacker, nor in that of anybody else. */
export const elsewhere: Area = (number) => `198.${number % 200}.${Math.floor(number / 200) % 200}.20`;

/** What makes a request come from that address, where this host is a trusted proxy. */
export const from = (address: string) => ({ "x-forwarded-for": address });
