/** The position of a sign-in within its first step. Later steps are in the address of the page. */
export type Step =
  | { readonly name: "credentials" }
  | { readonly name: "unverified" }
  | { readonly name: "mail"; readonly login: string };
