/**
 * The one order in which batches take their locks. Two batches that take the same locks in opposite orders wait for each other on a
 * database that locks rows.
 */
const order: readonly (readonly string[])[] = [
  ["users"],
  ["account_metadata"],
  ["auth_sessions"],
  ["organizations"],
  ["organization_members"],
  ["organization_domains", "organization_leavers", "organization_providers"],
  [
    "auth_identities",
    "auth_grants",
    "auth_grant_browsers",
    "auth_reservations",
    "auth_invitations",
    "auth_invitation_tokens",
    "oauth_states",
    "auth_challenges",
    "auth_personal_tokens",
    "auth_impersonations",
    "idp_clients",
    "idp_browser_origins",
    "idp_consents",
    "idp_codes",
    "idp_requests",
    "idp_devices",
    "auth_totp",
    "auth_recovery_codes",
    "auth_passkeys",
    "auth_passkey_answers",
  ],
  ["auth_attempts"],
];

interface Written {
  readonly sql: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

const written = /^\s*(?:insert\s+into|update|delete\s+from)\s+(\w+)/i;

/** Says what a batch does out of order; undefined if nothing. A table that is locked already may be written again. */
export function lockOrderComplaint(batch: readonly Written[]): string | undefined {
  const locked = new Set<string>();
  let highest = -1;
  let lastKey = "";
  for (const { sql, params } of batch) {
    const [, table = ""] = written.exec(sql) ?? [];
    const rank = order.findIndex((tables) => tables.includes(table));
    if (rank === -1) continue;
    if (!locked.has(table) && rank < highest) return `${table} is locked after ${[...locked].join(", ")}`;
    locked.add(table);
    highest = Math.max(highest, rank);
    const key = params?.["key"];
    if (table !== "auth_attempts" || typeof key !== "string") continue;
    if (key < lastKey) return "the counters are not locked in the order of their keys";
    lastKey = key;
  }
  return undefined;
}
