import type { Config } from "../../config/index.ts";
import { isLoopback } from "../client/redirect.uri.ts";

interface AddressRules {
  readonly documents: Config["idp"]["clientMetadataDocuments"];
  /** Whether an address of this machine may be read without TLS, where it is named: only in local and testing. */
  readonly plainHttp: boolean;
}

const longest = 512;

/**
 * Reads a client id that is the address of a document about its client. Undefined for any other id, and for an address that may not be read.
 * The address is compared as it stands, so only its one canonical spelling is taken: without dots, a user, a fragment or a port of its own kind.
 */
export function documentAddress(id: string, { documents, plainHttp }: AddressRules) {
  if (documents === "off" || id.length > longest || !/^https?:\/\//.test(id)) return undefined;
  const url = URL.parse(id);
  if (url === null || url.href !== id || url.pathname === "/" || id.includes("#")) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  const isNamed = documents !== "any" && documents.includes(url.host);
  if (documents !== "any" && !isNamed) return undefined;
  const isHere = plainHttp && isNamed && isLoopback(url);
  if (url.protocol !== "https:" && !isHere) return undefined;
  return { url, allowPrivate: isHere };
}
