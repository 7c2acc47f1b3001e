import { contract, type Mutation } from "./mutation.ts";

/** Over what an app keeps on accounts, the programs that are asked, and the tokens of people's own. */
export const keptMutations: readonly Mutation[] = [
  {
    name: "an account that was changed since is overwritten",
    file: "src/auth/people/patch.ts",
    from: "if (!isMatch(ifMatch, tagOf(",
    to: "if (ifMatch === undefined && !isMatch(ifMatch, tagOf(",
    tests: contract("backend/metadata"),
  },
  {
    name: "a hook writes claims that standards give a meaning",
    file: "src/auth/session/claims.ts",
    from: "filter(([name]) => !reserved.has(name))",
    to: "filter(() => true)",
    tests: contract("hook/hooks"),
  },
  {
    name: "a hook that gives no answer counts as yes",
    file: "src/webhook/hooks/hooks.ts",
    from: 'return onFailure === "allow"',
    to: 'return onFailure !== "never"',
    tests: contract("hook/hooks"),
  },
  {
    name: "nobody is asked about a newcomer",
    file: "src/auth/flow/admission.ts",
    from: "await gate?.beforeRegister?.({ user, client, method: proof.cameBy });",
    to: "",
    tests: contract("hook/hooks"),
  },
  {
    name: "a personal token is made without a fresh proof",
    file: "src/auth/flow/account/token.service.ts",
    from: "await sessions.requireFreshProof(session);",
    to: "",
    tests: contract("auth/personal-tokens"),
  },
  {
    name: "a revoked personal token goes on",
    file: "src/auth/token/token.repository.ts",
    from: "where t.secret_hash = $secretHash and t.revoked_at is null and",
    to: "where t.secret_hash = $secretHash and",
    tests: contract("auth/personal-tokens"),
  },
  {
    name: "the personal token of a disabled account goes on",
    file: "src/auth/token/token.repository.ts",
    from: "t.expires_at > $now and u.active = 1`",
    to: "t.expires_at > $now`",
    tests: contract("auth/personal-tokens"),
  },
];
