/** Where a sign-in stands. Whatever is asked for besides a password is another step. */
export type Step = { readonly name: "credentials" } | { readonly name: "unverified" };
