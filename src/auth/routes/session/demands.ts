import { AppError } from "../../../core/errors.ts";
import { isId } from "../../../core/ids.ts";
import { FieldFault } from "../../../core/fields.ts";
import type { QueryParameter } from "../../../http/index.ts";
import { isName, namePattern } from "../../../core/naming.ts";

/** A proxy's demands on the person beyond being signed in. */
export interface Demands {
  readonly role?: string;
  readonly verified?: boolean;
  readonly maxAgeSeconds?: number;
  /** The id of the organization that the session has to act for, and a role that the person has to have in it. */
  readonly org?: string;
  readonly orgRole?: string;
  /** Whether it has to be the person, and nobody of the staff in their name. */
  readonly isOwn?: boolean;
  /** The resource server that asks: the token of a program has to name it (RFC 8707). */
  readonly resource?: string;
  /** Whether a page navigation is redirected to the sign-in page. */
  readonly redirect?: boolean;
}

const absoluteAddress = /^[A-Za-z][\w+.-]*:[^\s#]+$/;

type Reader = (text: string) => Demands | undefined;

const only =
  (expected: string, demands: Demands): Reader =>
  (text) =>
    text === expected ? demands : undefined;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["role", (role) => (isName("role", role) ? { role } : undefined)],
  ["verified", only("true", { verified: true })],
  ["max_age", (text) => (/^(?:0|[1-9]\d{0,8})$/.test(text) ? { maxAgeSeconds: Number(text) } : undefined)],
  ["impersonator", only("none", { isOwn: true })],
  ["redirect", only("login", { redirect: true })],
  ["org", (org) => (isId(org) ? { org } : undefined)],
  ["org_role", (orgRole) => (isName("role", orgRole) ? { orgRole } : undefined)],
  ["resource", (resource) => (absoluteAddress.test(resource) ? { resource } : undefined)],
]);

const parameter = (
  name: string,
  description: string,
  schema: Omit<QueryParameter["schema"], "type">,
): QueryParameter => ({
  name,
  in: "query",
  description,
  schema: { type: "string", ...schema },
});
export const demandParameters: QueryParameter[] = [
  parameter("role", "The user must have it", { pattern: namePattern("role") }),
  parameter("verified", "The address must be verified", { enum: ["true"] }),
  parameter("max_age", "How many seconds ago the user gave a proof of identity, at most; 0 means now", {
    pattern: "^(0|[1-9][0-9]{0,8})$",
  }),
  parameter("org", "The id of the organization that the session must act for", {
    pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
  }),
  parameter("org_role", "The user must have it in the organization that the session acts for", {
    pattern: namePattern("role"),
  }),
  parameter("resource", "The resource server that asks: the token of a program must name it", {
    pattern: absoluteAddress.source,
  }),
  parameter("impersonator", "Nobody of the staff may act in the user's name", { enum: ["none"] }),
  parameter("redirect", "Where a navigation is led without a session", { enum: ["login"] }),
];

const nothing: Demands = {};

/**
 * Returns the demands in a URL's query. Throws `invalid_payload` on everything that is not understood: a mistyped demand must not open what
 * it was meant to protect.
 */
export function readDemands(url: string): Demands {
  const query = url.indexOf("?");
  if (query === -1) return nothing;
  const given = new Set<string>();
  let demands = nothing;
  for (const [name, text] of new URLSearchParams(url.slice(query + 1))) {
    const read = readers.get(name);
    if (read === undefined)
      throw new AppError("invalid_payload", { detail: "The query has a parameter that is not known." });
    if (given.has(name)) throw refusal(name, "is given twice");
    const demand = read(text);
    if (demand === undefined) throw refusal(name, "is not valid");
    given.add(name);
    demands = { ...demands, ...demand };
  }
  return demands;
}

const refusal = (name: string, complaint: string): AppError =>
  new AppError("invalid_payload", { fields: { [name]: new FieldFault("invalid_value", complaint) } });
