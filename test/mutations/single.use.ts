import { contract, type Mutation } from "./mutation.ts";

/** What is good once, or for a time: each line of defence by itself, though another one stands behind it. */
const alone = ["test/unit/single.use.test.ts"];

export const singleUseMutations: readonly Mutation[] = [
  {
    name: "a challenge is answered twice, by two right codes at once",
    file: "src/auth/flow/factor/challenge.service.ts",
    from: "guards: [challenges.answer(row), ...checked.guards],",
    to: "guards: [{ ...challenges.answer(row), guard: false }, ...checked.guards],",
    tests: ["test/property/factors.test.ts"],
  },
  {
    name: "the answer to a challenge guards nothing",
    file: "src/auth/factor/challenge.repository.ts",
    from: "guard: true,\n    sql: `delete from auth_challenges where id = $id and expires_at > $now`,",
    to: "sql: `delete from auth_challenges where id = $id and expires_at > $now`,",
    tests: alone,
  },
  {
    name: "a challenge is answered after its time",
    file: "src/auth/factor/challenge.repository.ts",
    from: "`delete from auth_challenges where id = $id and expires_at > $now`",
    to: "`delete from auth_challenges where id = $id and expires_at > 0 * $now`",
    tests: alone,
  },
  {
    name: "introspection knows a session that has to set up its second factor",
    file: "src/auth/session/introspection.ts",
    from: "|| isFactorMissing(row)) return undefined;",
    to: "|| isFactorMissing({ ...row, factors: 1, factor: 'totp' })) return undefined;",
    tests: contract("backend/introspect"),
  },
  {
    name: "a copy is not compared with its source",
    file: "src/drivers/database/copy/copy.ts",
    from: "if (different.length > 0) {",
    to: "if (different.length > tables.length) {",
    tests: ["test/drivers/database.copy.test.ts"],
  },
  {
    name: "a copy that is there is not compared",
    file: "src/drivers/database/copy/copy.ts",
    from: "if (different.length > 0) {",
    to: "if (different.length > 0 && !wasThere) {",
    tests: ["test/drivers/database.copy.test.ts"],
  },
  {
    name: "a copy is compared by the number of its rows",
    file: "src/drivers/database/copy/copy.ts",
    from: "checksum !== found[index]?.checksum",
    to: "checksum === found[index]?.table",
    tests: ["test/drivers/database.copy.test.ts"],
  },
  {
    name: "a link works for another address than it was mailed to",
    file: "src/auth/grant/grant.repository.ts",
    from: "u.active = 1\n              and u.email_key = auth_grants.email_key)`,",
    to: "u.active = 1)`,",
    tests: alone,
  },
  {
    name: "a link to an address that the account has left is looked at all the same",
    file: "src/auth/flow/password.service.ts",
    from: "if (grant === undefined || user?.emailKey !== grant.emailKey) continue;",
    to: "if (grant === undefined || user === undefined) continue;",
    tests: contract("auth/takeover"),
  },
  {
    name: "a link is found after its time",
    file: "src/auth/grant/grant.repository.ts",
    from: "const isOpen = `g.redeemed_at is null and g.voided_at is null and g.expires_at > $now and",
    to: "const isOpen = `g.redeemed_at is null and g.voided_at is null and g.expires_at > 0 * $now and",
    tests: alone,
  },
  {
    name: "a link is redeemed after its time",
    file: "src/auth/grant/grant.repository.ts",
    from: "voided_at is null and expires_at > $now\n            and exists",
    to: "voided_at is null\n            and exists",
    tests: alone,
  },
  {
    name: "a link permits an act after its time",
    file: "src/auth/grant/grant.repository.ts",
    from: "where id = $id and redeemed_at is null and voided_at is null and expires_at > $now`,",
    to: "where id = $id and redeemed_at is null and voided_at is null and expires_at > 0 * $now`,",
    tests: alone,
  },
  {
    name: "a link that was redeemed is found",
    file: "src/auth/grant/grant.repository.ts",
    from: "const isOpen = `g.redeemed_at is null and g.voided_at is null",
    to: "const isOpen = `g.voided_at is null",
    tests: alone,
  },
  {
    name: "an invitation is accepted twice",
    file: "src/auth/invitation/invitation.repository.ts",
    from: "where id = $id and ${waits} and expires_at > $now and roles = $roles",
    to: "where id = $id and expires_at > $now and roles = $roles",
    tests: alone,
  },
  {
    name: "an accepted invitation looks as if it waited",
    file: "src/auth/invitation/invitation.tokens.ts",
    from: 'if (acceptedAt !== null) return "accepted";',
    to: 'if (acceptedAt === 0) return "accepted";',
    tests: alone,
  },
  {
    name: "an invitation is accepted after its time",
    file: "src/auth/invitation/invitation.repository.ts",
    from: "where id = $id and ${waits} and expires_at > $now and roles = $roles",
    to: "where id = $id and ${waits} and expires_at > 0 * $now and roles = $roles",
    tests: alone,
  },
];
