import type { ResponseHead } from "../../../http/index.ts";
import type { SignIn } from "../../flow/admission.ts";
import type { AuthCookies } from "../session/cookies.ts";

/** The result of a sign-in. With a challenge the browser has got its cookie, and a second factor is asked for. */
export type PageSignIn =
  | { readonly outcome: "signed_in" }
  | { readonly outcome: "challenged"; readonly challenge: string };

/** Writes the cookies of a sign-in, or of the challenge that it ended at. */
export function hand(
  cookies: Pick<AuthCookies, "setChallenge" | "signIn">,
  head: ResponseHead,
  request: Request,
  signIn: SignIn,
): PageSignIn {
  if ("challenge" in signIn) {
    cookies.setChallenge(head, request, signIn.challenge);
    return { outcome: "challenged", challenge: signIn.challenge.id };
  }
  cookies.signIn(head, request, signIn);
  return { outcome: "signed_in" };
}
