import { contract, type Mutation } from "./mutation.ts";

/** Over who may have an account, and what has to come first. */
export const newcomerMutations: readonly Mutation[] = [
  {
    name: "an account is made without the terms",
    file: "src/auth/flow/admission.ts",
    from: "rules.requireTerms(user.termsVersion);",
    to: "",
    tests: contract("auth/terms"),
  },
  {
    name: "the domain of an address is looked at by its ending",
    file: "src/auth/flow/registration.rules.ts",
    from: "!domains.includes(domain)",
    to: "!domains.some((each) => domain.endsWith(each))",
    tests: contract("auth/registration-domains"),
  },
  {
    name: "an account moves to any domain",
    file: "src/auth/flow/account/profile.service.ts",
    from: "rules.requireDomain(change.pendingEmailKey);",
    to: "",
    tests: contract("auth/registration-domains"),
  },
  {
    name: "terms that were accepted before are accepted anew",
    file: "src/auth/flow/account/profile.service.ts",
    from: "version === user.termsVersion ? undefined : rules.accepted(version)",
    to: "rules.accepted(version)",
    tests: contract("auth/terms"),
  },
  {
    name: "a provider's newcomer gets an account before the terms",
    file: "src/auth/flow/federation.service.ts",
    from: `      if (rules.termsDue(newcomer.acceptedTerms) !== null) return "terms_due";
      const user = await newUser(newcomer, key, client);`,
    to: `      const user = await newUser({ ...newcomer, acceptedTerms: rules.termsDue(null) ?? undefined }, key, client);`,
    tests: contract("oauth/terms"),
  },
  {
    name: "a state that waits for the provider is answered by a newcomer",
    file: "src/oauth/state.repository.ts",
    from: "and profile ${which} and consumed_at",
    to: "and consumed_at",
    tests: contract("oauth/terms"),
  },
];
