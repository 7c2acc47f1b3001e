/** One mistake that somebody could make: in `file` the one occurrence of `from` becomes `to`, and `tests` have to notice. */
export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Paths of test files. The fewer, the faster. */
  readonly tests: readonly string[];
}

const contract = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/contract/${name}.test.ts`);

export const mutations: readonly Mutation[] = [
  {
    name: "a refresh swaps the secret whatever generation the token has",
    file: "src/auth/session/session.repository.ts",
    from: "where id = $id and secret_hash = $from and generation = $generation and ${live}",
    to: "where id = $id and $from <> '' and $generation > 0 and ${live}",
    tests: [...contract("auth/refresh"), "test/property/interleavings.test.ts"],
  },
  {
    name: "a session that is not remembered never goes idle",
    file: "src/auth/session/session.repository.ts",
    from: "(remembered = 1 or last_seen_at > $idleSince)",
    to: "(remembered in (0, 1) or last_seen_at > $idleSince)",
    tests: contract("auth/lifetimes", "auth/sessions"),
  },
  {
    name: "a user revokes the session of another",
    file: "src/auth/session/session.repository.ts",
    from: "revoked_at = $now where id = $id and user_id = $userId and ${live}",
    to: "revoked_at = $now where id = $id and $userId <> '' and ${live}",
    tests: contract("auth/sessions"),
  },
  {
    name: "a secret swapped out long ago still counts as a race",
    file: "src/auth/session/refresh.token.ts",
    from: "now - row.rotatedAt <= rotationGraceMs",
    to: "now - row.rotatedAt >= 0",
    tests: contract("auth/refresh", "auth/cookies"),
  },
  {
    name: "a grant is redeemed twice",
    file: "src/auth/grant/grant.repository.ts",
    from: "where id = $id and redeemed_at is null and voided_at is null and expires_at > $now",
    to: "where id = $id and voided_at is null and expires_at > $now",
    tests: contract("auth/reset-confirm"),
  },
  {
    name: "a grant outlives its time",
    file: "src/auth/grant/grant.repository.ts",
    from: "and g.redeemed_at is null and g.voided_at is null\n         and g.expires_at > $now",
    to: "and g.redeemed_at is null and g.voided_at is null\n         and $now > 0",
    tests: contract("auth/reset-confirm", "auth/verification"),
  },
  {
    name: "a full counter lets one more attempt through",
    file: "src/auth/pressure/attempt.repository.ts",
    from: "auth_attempts.attempts < $limit",
    to: "auth_attempts.attempts <= $limit",
    tests: contract("auth/rate-limit"),
  },
  {
    name: "a lack of room counts as a failure of the account",
    file: "src/auth/pressure/pressure.ts",
    from: 'error.reason === "overloaded"',
    to: 'error.reason === "payload_too_large"',
    tests: contract("auth/overload"),
  },
  {
    name: "what can't be read counts as no maintenance",
    file: "src/maintenance/state.ts",
    from: 'stored !== "off"',
    to: 'stored === "on"',
    tests: [...contract("maintenance/shared", "maintenance/maintenance"), "test/unit/maintenance.test.ts"],
  },
  {
    name: "a read that began before a write undoes it",
    file: "src/maintenance/state.ts",
    from: "if (known === writes) learn(now, began);",
    to: "learn(now, performance.now());",
    tests: ["test/unit/maintenance.test.ts"],
  },
];
