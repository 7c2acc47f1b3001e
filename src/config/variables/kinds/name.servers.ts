import { addressFamily } from "../../../core/address/address.family.ts";
import { accepts, list, type Kind } from "./kinds.ts";

/** Whether a text is an address, with or without a port: `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53`, `[2001:db8::53]:5353`. */
function isServer(text: string): boolean {
  const [, inBrackets, dotted, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
  if (inBrackets !== undefined) return addressFamily(inBrackets) === 6 && isPort;
  return dotted === undefined ? addressFamily(text) === 6 : addressFamily(dotted) === 4 && isPort;
}

/** Servers of names. They are addresses, since a name would have to be looked up itself. */
export const nameServers: Kind<readonly string[]> = {
  complaint: accepts(
    (value) => list.read(value).every(isServer),
    "must be a list of addresses such as 192.0.2.53 or 192.0.2.53:5353",
  ),
  read: list.read,
  lines: "items",
};
