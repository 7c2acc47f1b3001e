import type { PageSignIn } from "../../auth/index.ts";
import type { Next } from "./next.ts";

/** Returns where a sign-in goes on: to the page that was named, or to the second step and from there. */
export type Arrive = (signIn: PageSignIn, named: string | null) => { readonly to: string };

export const createArrive =
  ({ next, href }: { readonly next: Next; readonly href: (path: string) => string }): Arrive =>
  (signIn, named) => {
    if (signIn.outcome === "signed_in") return { to: next.after(named) };
    const query = new URLSearchParams({ challenge: signIn.challenge, next: next.of(named) });
    return { to: `${href("/login/verify")}?${query.toString()}` };
  };
