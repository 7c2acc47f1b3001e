import type { Failure, Invitation, User } from "../../../../client/index.ts";
import { keptToken } from "../../acts/storage.ts";
import { useAccount } from "../../context.ts";

/** The properties of every part of the page. */
export interface InvitationProps {
  readonly token: string;
  readonly invitation: Invitation;
  /** Called when the link turns out to be of no use, or an account has the address by now. */
  readonly onRefused: (failure: Failure) => void;
}

/** The refusals that end the invitation; the page explains each. */
const endings = [
  "invalid_invitation_token",
  "invitation_accepted",
  "invitation_expired",
  "invitation_withdrawn",
] as const;
export type Ending = (typeof endings)[number];

/** Returns undefined for a refusal after which the link may still be used. */
export function endingOf({ code, fields }: Failure): Ending | undefined {
  // A program that broke the link has damaged the token.
  if (code === "invalid_payload" && fields?.["token"] !== undefined) return "invalid_invitation_token";
  return endings.find((ending) => ending === code);
}

/** Whether the whole page has to tell of a refusal, and not a form. */
export const endsForm = (failure: Failure): boolean =>
  failure.code === "invitation_sign_in_required" || failure.code === "member_exists" || endingOf(failure) !== undefined;

/** Returns a function that leads a person who has accepted to the account. */
export function useJoined({ organization }: Invitation): (answer: { readonly user: User }) => void {
  const { router, session, news } = useAccount();
  return ({ user }) => {
    keptToken.drop();
    session.know(user);
    if (organization !== null) news.value = { kind: "joined", name: organization };
    router.replace("/account", {}, organization === null ? "" : "#organizations");
  };
}
