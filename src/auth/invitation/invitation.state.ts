import type { Millis } from "../../core/clock.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { InvitationRow } from "./invitation.repository.ts";

/** `void`: whoever invited may no longer do so. */
export type InvitationState = "waiting" | "accepted" | "withdrawn" | "expired" | "void";

type Facts = Pick<InvitationRow, "acceptedAt" | "withdrawnAt" | "expiresAt" | "stands">;

export function invitationState({ acceptedAt, withdrawnAt, expiresAt, stands }: Facts, now: Millis): InvitationState {
  if (acceptedAt !== null) return "accepted";
  if (withdrawnAt !== null) return "withdrawn";
  if (stands !== 1) return "void";
  return expiresAt <= now ? "expired" : "waiting";
}

/** How an invitation that can't be accepted any more is refused. Whoever holds its token may know that it is over, not whose fault that is. */
export const refusalOf = {
  accepted: "invitation_accepted",
  withdrawn: "invitation_withdrawn",
  void: "invitation_withdrawn",
  expired: "invitation_expired",
} as const satisfies Readonly<Record<Exclude<InvitationState, "waiting">, ErrorCode>>;
