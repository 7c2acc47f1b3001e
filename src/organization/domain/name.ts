import { domainKey } from "../../auth/index.ts";
import { addressFamily } from "../../core/address/address.family.ts";
import { FieldFault } from "../../core/fields.ts";

const label = "_gatehouse-challenge";
/** The longest name that the system of names takes, less what stands before it in the name of the record. */
const longest = 253 - label.length - 1;

/** Returns the name of the record that proves a domain. */
export const recordName = (domain: string): string => `${label}.${domain}`;

/** Returns a domain in the form in which those of addresses are compared, or says why nobody can claim it. */
export async function readDomain(text: string): Promise<string | FieldFault> {
  const plain = text.replace(/^\[|\]$/g, "");
  if (addressFamily(plain) !== 0 || /^\d+(?:\.\d+)*$/.test(plain))
    return new FieldFault("invalid_value", "must be a domain such as example.com, and is an address of a machine");
  const domain = domainKey(text);
  if (domain === undefined)
    return new FieldFault(
      "invalid_value",
      "must be a domain such as example.com, without anything before or behind it",
    );
  if (domain.length > longest) return new FieldFault("too_long", `must have ${longest} characters at most`);
  // The list of public suffixes is large, and few requests need it.
  const { isPublicSuffix } = await import("../../core/address/public.suffix.ts");
  return isPublicSuffix(domain)
    ? new FieldFault("invalid_value", "is one below which strangers register theirs: it belongs to nobody alone")
    : domain;
}
