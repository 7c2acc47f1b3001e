import { invalidFields } from "../../core/errors.ts";
import { FieldFault, unknownNames } from "../../core/fields.ts";

const repeated = new FieldFault("invalid_value", "must be given once");

/**
 * Refuses query parameters that the schema does not have, or that come several times. The router drops the first, so that a misspelt filter
 * would find everybody. Throws `invalid_payload`, which names them.
 */
export function requireKnown({ url }: Request, { properties }: { readonly properties: object }): void {
  const start = url.indexOf("?");
  if (start === -1) return;
  const names = [...new URLSearchParams(url.slice(start)).keys()];
  const unknown = unknownNames(names, (name) => Object.hasOwn(properties, name), "is no parameter of this request");
  const twice = names.filter((name, at) => Object.hasOwn(properties, name) && names.indexOf(name) !== at);
  const faults = { ...unknown, ...Object.fromEntries(twice.map((name) => [name, repeated])) };
  if (Object.keys(faults).length > 0) throw invalidFields(faults);
}
