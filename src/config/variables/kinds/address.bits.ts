import { wholeAddress, type AddressBits } from "../../../core/address/address.ts";
import { accepts, type Kind } from "./kinds.ts";

const bitsOf = (value: string): AddressBits | undefined => {
  const [, ipv4 = "", ipv6 = ""] = /^(\d{1,2}),\s*(\d{1,3})$/.exec(value) ?? [];
  const bits = { ipv4: Number(ipv4), ipv6: Number(ipv6) };
  return ipv4 !== "" && bits.ipv4 <= 32 && bits.ipv6 <= 128 ? bits : undefined;
};

/** How much of addresses is kept. */
export const addressBits: Kind<AddressBits> = {
  complaint: accepts((value) => bitsOf(value) !== undefined, "must be two numbers of bits, such as 24,48"),
  read: (value) => bitsOf(value) ?? wholeAddress,
};
