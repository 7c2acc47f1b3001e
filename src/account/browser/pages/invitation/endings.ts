import type { Failure, Invitation } from "../../../../client/index.ts";

/** What every part of the page needs. */
export interface InvitationProps {
  readonly token: string;
  readonly invitation: Invitation;
  /** Called when it turns out that the link is of no use, or that an account has the address by now. */
  readonly onRefused: (failure: Failure) => void;
}

/** The refusals that end it, by which the page says why. */
const endings = [
  "invalid_invitation_token",
  "invitation_accepted",
  "invitation_expired",
  "invitation_withdrawn",
] as const;
export type Ending = (typeof endings)[number];

/** Undefined for a refusal after which the link may still be used. */
export function endingOf({ code, fields }: Failure): Ending | undefined {
  // What a program that broke the link has made of its token.
  if (code === "invalid_payload" && fields?.["token"] !== undefined) return "invalid_invitation_token";
  return endings.find((ending) => ending === code);
}

/** Whether a refusal is for the whole page to tell rather than for a form. */
export const endsForm = (failure: Failure): boolean =>
  failure.code === "invitation_sign_in_required" || endingOf(failure) !== undefined;
