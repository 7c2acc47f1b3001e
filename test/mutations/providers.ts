import { contract, type Mutation } from "./mutation.ts";

/** Over sign-in through providers. */
export const providerMutations: readonly Mutation[] = [
  {
    name: "each token that fits no key fetches the keys anew",
    file: "src/core/keys/remote.keys.ts",
    from: "if (isResting || fetches !== fetchesBefore) return;",
    to: "if (fetches !== fetchesBefore) return;",
    tests: ["test/unit/oauth.keys.test.ts"],
  },
  {
    name: "a signature that fits no key is final",
    file: "src/core/keys/remote.keys.ts",
    from: "!(error instanceof errors.JWKSNoMatchingKey) && !isWrongSignature(error)",
    to: "!(error instanceof errors.JWKSNoMatchingKey)",
    tests: ["test/unit/oauth.keys.test.ts"],
  },
  {
    name: "a claim that is null is one of the wrong kind",
    file: "src/oauth/exchange/shape.ts",
    from: "const value = withoutNulls(sent);",
    to: "const value = sent;",
    tests: contract("oauth/nullable"),
  },
  {
    name: "a page of another site starts a sign-in by a form",
    file: "src/oauth/index.ts",
    from: "providers.map(({ name }) => callbackRoute(name));",
    to: "providers.flatMap(({ name }) => [callbackRoute(name), startRoute(name)]);",
    tests: contract("oauth/start.request"),
  },
  {
    name: "a start goes to a provider of another issuer than the named one",
    file: "src/oauth/oauth.service.ts",
    from: "if (issuer !== undefined && ",
    to: "if (issuer === undefined && ",
    tests: contract("oauth/start.request"),
  },
];
