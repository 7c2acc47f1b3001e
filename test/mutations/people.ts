import { contract, type Mutation } from "./mutation.ts";

/** Over what others than its user do to an account, and what they are shown of it. */
export const peopleMutations: readonly Mutation[] = [
  {
    name: "a disabled account keeps its sessions",
    file: "src/auth/flow/eviction/eviction.rules.ts",
    from: 'account_disabled: { ...byStaff, sessions: all("account_disabled"), takeBacks: "voided" },',
    to: 'account_disabled: { ...byStaff, sessions: "kept", takeBacks: "voided" },',
    tests: contract("people/acts"),
  },
  {
    name: "staff act although they are disabled",
    file: "src/auth/user/user.repository.ts",
    from: "`${user}.active = 1 and ${user}.roles <> ''",
    to: "`${user}.roles <> ''",
    tests: contract("people/acts"),
  },
  {
    name: "an admin disables themselves",
    file: "src/auth/people/acts.ts",
    from: 'if (unseats) throw new AppError("own_account");',
    to: "",
    tests: contract("people/acts"),
  },
  {
    name: "a service takes the last admin",
    file: "src/auth/people/acts.ts",
    from: 'if (by.actor === "service" && unseats)',
    to: 'if (by.actor === "system" && unseats)',
    tests: contract("people/acts"),
  },
  {
    name: "an act that changes nothing leaves a row",
    file: "src/auth/people/upkeep.repository.ts",
    from: "where id = $id and active <> $to`",
    to: "where id = $id and active in (0, 1)`",
    tests: contract("people/acts"),
  },
  {
    name: "unlocking leaves the lock of a known browser",
    file: "src/auth/pressure/locks.ts",
    from: "...rows.filter(({ expiresAt }) => expiresAt > now), ...browsers]",
    to: "...rows.filter(({ expiresAt }) => expiresAt > now), ...browsers.slice(1)]",
    tests: contract("people/acts"),
  },
  {
    name: "a reset is mailed by the app that staff sit at",
    file: "src/auth/people/accounts.ts",
    from: '{ ...passwordResetJob(user.email), app: "app" }',
    to: "passwordResetJob(user.email)",
    tests: contract("people/acts"),
  },
  {
    name: "a stranger's link for a first password is good for days",
    file: "src/auth/mail/job.handlers.ts",
    from: 'isForFirst ? "first_password" : "password_reset"',
    to: 'isFirst ? "first_password" : "password_reset"',
    tests: contract("backend/first.password"),
  },
  {
    name: "a link for a first password resets one",
    file: "src/auth/flow/password.service.ts",
    from: 'if (purpose === "first_password" && user.passwordHash !== null) continue;',
    to: "",
    tests: contract("backend/first.password"),
  },
  {
    name: "a person whom several fields find is listed again",
    file: "src/auth/people/search.ts",
    from: "firstKey(match, fields) === match.key",
    to: "firstKey(match, fields) !== undefined",
    tests: contract("people/reads"),
  },
  {
    name: "a lock of a former name counts",
    file: "src/auth/people/list.ts",
    from: "(held.get(row.id) ?? []).length > 0 && fits(query, row)",
    to: "fits(query, row)",
    tests: contract("people/reads"),
  },
];
