import type { Millis } from "../../core/clock.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { InvitationRow } from "./invitation.repository.ts";

/** `void`: the inviter may no longer invite. */
export type InvitationState = "waiting" | "accepted" | "withdrawn" | "expired" | "void";

type Facts = Pick<InvitationRow, "acceptedAt" | "withdrawnAt" | "expiresAt" | "stands">;

export function invitationState({ acceptedAt, withdrawnAt, expiresAt, stands }: Facts, now: Millis): InvitationState {
  if (acceptedAt !== null) return "accepted";
  if (withdrawnAt !== null) return "withdrawn";
  if (stands !== 1) return "void";
  return expiresAt <= now ? "expired" : "waiting";
}

/**
 * The error that an invitation is refused with once it can't be accepted. The bearer of its token may know that it is over, not whose fault
 * that is.
 */
export const refusalOf = {
  accepted: "invitation_accepted",
  withdrawn: "invitation_withdrawn",
  void: "invitation_withdrawn",
  expired: "invitation_expired",
} as const satisfies Readonly<Record<Exclude<InvitationState, "waiting">, ErrorCode>>;
