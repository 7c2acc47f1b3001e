import type { GateNeeds } from "./types.ts";

const name = /^[a-z][a-z0-9-]{0,31}$/;
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The id of no organization, in place of a text that is none: a path may hold anything. */
const nothing = "00000000-0000-0000-0000-000000000000";

const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isNamed = (value: unknown): boolean => typeof value === "string" && name.test(value);

/** Whether a need is one that Gatehouse understands. What guards a door may not be missing by mistake, so that undefined is none. */
const rules: { readonly [Need in keyof Required<GateNeeds>]: (value: unknown) => boolean } = {
  role: isNamed,
  org: (value) => typeof value === "string",
  orgRole: isNamed,
  maxAge: (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1e9,
  verified: isFlag,
  optional: isFlag,
  signIn: isFlag,
  clientAddress: (value) => typeof value === "string" || value === undefined,
};

const isKnown = (need: string): need is keyof typeof rules => Object.hasOwn(rules, need);

/** Returns the query by which Gatehouse is asked. Throws where a need is mistyped: it must not open what it was meant to protect. */
export function queryOf(needs: GateNeeds, resource: string | undefined): string {
  // A promise of needs shows none, and would open what they are to protect.
  if ("then" in needs) throw new TypeError("The gate needs no promise of needs, but the needs.");
  for (const [need, value] of Object.entries(needs))
    if (!isKnown(need) || !rules[need](value)) throw new TypeError(`The gate does not understand the need "${need}".`);
  const { role, org, orgRole, verified = false, maxAge } = needs;
  const query = new URLSearchParams({
    ...(role !== undefined && { role }),
    ...(org !== undefined && { org: id.test(org) ? org : nothing }),
    ...(orgRole !== undefined && { org_role: orgRole }),
    ...(verified && { verified: "true" }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(resource !== undefined && { resource }),
  }).toString();
  return query === "" ? "" : `?${query}`;
}

/** Whether anything is needed that Gatehouse has to be asked about, beyond somebody being signed in. Throws where a need is mistyped. */
export const isDemanding = (needs: GateNeeds): boolean => queryOf(needs, undefined) !== "";
