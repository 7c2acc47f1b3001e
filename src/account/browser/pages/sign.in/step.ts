/** Where a sign-in stands that has not gone beyond its first step. Whatever comes then is in the address of the page. */
export type Step =
  | { readonly name: "credentials" }
  | { readonly name: "unverified" }
  | { readonly name: "mail"; readonly login: string };
