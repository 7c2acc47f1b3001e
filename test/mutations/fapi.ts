import { contract, type Mutation } from "./mutation.ts";

/** Over the programs that keep to the security profile of FAPI 2.0. */
export const fapiMutations: readonly Mutation[] = [
  {
    name: "a program of FAPI 2.0 may leave out PKCE",
    file: "src/idp/client/client.ts",
    from: "client.settings.fapi || keepsNoSecret(client)",
    to: "keepsNoSecret(client)",
    tests: contract("idp/fapi"),
  },
  {
    name: "a program of FAPI 2.0 signs by any algorithm",
    file: "src/idp/client/fapi.ts",
    from: "!fapi || algorithms.has(each)",
    to: "!fapi || all.includes(each)",
    tests: contract("idp/fapi"),
  },
  {
    name: "a program of FAPI 2.0 has ID tokens by RS256",
    file: "src/idp/client/fapi.ts",
    from: "algorithms.has(settings.id_token_signed_response_alg)",
    to: "settings.fapi",
    tests: contract("idp/fapi"),
  },
  {
    name: "a program of FAPI 2.0 leads people on without TLS",
    file: "src/idp/client/fapi.ts",
    from: '!uri.startsWith("https:")',
    to: '!uri.startsWith("http")',
    tests: contract("idp/fapi"),
  },
  {
    name: "a program of FAPI 2.0 asks in an address",
    file: "src/idp/authorize/authorization.ts",
    from: "destination.client.settings.fapi && aheadId === undefined",
    to: 'destination.client.settings.fapi && aheadId === ""',
    tests: contract("idp/fapi"),
  },
  {
    name: "a program of FAPI 2.0 has a long request kept without proving who it is",
    file: "src/idp/authorize/authorization.ts",
    from: "client === undefined || client.settings.fapi || sent",
    to: "client === undefined || sent",
    tests: contract("idp/fapi"),
  },
  {
    name: "the refresh token of a program of FAPI 2.0 is swapped",
    file: "src/idp/token/grants.ts",
    from: "keepsToken: client.settings.fapi",
    to: "keepsToken: false",
    tests: contract("idp/fapi"),
  },
  {
    name: "no refresh token is swapped",
    file: "src/auth/delegation/delegations.ts",
    from: "if (keepsToken && mismatch === undefined) {",
    to: "if (mismatch === undefined) {",
    tests: contract("idp/fapi"),
  },
  {
    name: "an assertion of a program of FAPI 2.0 is for a list",
    file: "src/idp/client/assertion.ts",
    from: "if (settings.fapi) return audience === issuer;",
    to: "if (settings.fapi) return [audience].flat().includes(issuer);",
    tests: contract("idp/fapi"),
  },
  {
    name: "an assertion is made in the future",
    file: "src/idp/client/assertion.ts",
    from: "if (iat * second > now + mostAheadMs)",
    to: "if (iat * second > now + minute * mostAheadMs)",
    tests: contract("idp/fapi"),
  },
  {
    name: "a request that was sent ahead is kept for ten minutes",
    file: "src/idp/authorize/pushed.ts",
    from: "const pushedTtlMs = 5 * minute;",
    to: "const pushedTtlMs = 10 * minute;",
    tests: contract("idp/fapi"),
  },
];
