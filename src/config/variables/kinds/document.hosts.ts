import { addressFamily } from "../../../core/address/address.family.ts";
import { accepts, list, type Kind } from "./kinds.ts";

/** Whose client metadata documents are read: nobody's, everybody's, or those at hosts as they stand in a URL. */
export type DocumentHosts = "off" | "any" | readonly string[];

/** Returns the host and the port that is not https's own, as a URL has them. Undefined for anything else, such as a URL. */
function hostIn(item: string): string | undefined {
  const url = /^[^\s/?#@\\*]+$/.test(item) ? URL.parse(`https://${item}`) : null;
  if (url === null) return undefined;
  const { hostname, host } = url;
  const isAddress = hostname.startsWith("[") || addressFamily(hostname) !== 0;
  // A name without a dot is one of this machine, or a word that is misspelt.
  const isName = /^(?:[\w-]+\.)+[\w-]+$|^localhost$/.test(hostname);
  return isAddress || isName ? host : undefined;
}

export const documentHosts: Kind<DocumentHosts> = {
  complaint: accepts((value) => {
    if (value === "off" || value === "any") return true;
    const items = list.read(value);
    return items.length > 0 && items.every((item) => hostIn(item) !== undefined);
  }, "must be off, any, or hosts such as example.com or localhost:8080, separated by commas"),
  read(value) {
    if (value === "off" || value === "any") return value;
    return [...new Set(list.read(value).map((item) => hostIn(item) ?? ""))];
  },
  lines: "items",
};
