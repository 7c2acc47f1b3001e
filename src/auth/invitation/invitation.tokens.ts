import type { Clock, Millis } from "../../core/clock.ts";
import { tokenHash } from "../../core/crypto.ts";
import { AppError, type ErrorCode } from "../../core/errors.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { MailedTokens } from "../mailed.tokens.ts";
import type { InvitationRepository, InvitationRow, TokenRow } from "./invitation.repository.ts";

interface InvitationTokenOptions {
  readonly database: Database;
  readonly invitations: InvitationRepository;
  readonly tokens: MailedTokens;
  readonly clock: Clock;
}

/**
 * The links of invitations: 256-bit tokens, stored by hash. Each mail has one of its own, and all of them lead to the one invitation, whose
 * row decides: the first link that is used uses up the rest, and a withdrawal ends them all. An older link works until the time that its
 * own mail says, unless the invitation has been renewed for a shorter time since.
 */
export function createInvitationTokens({ database, invitations, tokens, clock }: InvitationTokenOptions) {
  const stateOf = (row: TokenRow): InvitationState =>
    invitationState({ ...row, expiresAt: Math.min(row.expiresAt, row.tokenExpiresAt) }, clock.now());

  /**
   * Returns the invitation that a hash leads to. Throws why it can't be accepted; `invalid_invitation_token` for a token that nobody was
   * sent.
   */
  async function findByHash(hash: string): Promise<InvitationRow> {
    const row = await invitations.byToken(hash);
    if (row === undefined) throw new AppError("invalid_invitation_token");
    const state = stateOf(row);
    if (state !== "waiting") throw new AppError(refusalOf[state]);
    return row;
  }

  return {
    /**
     * Returns the token for an attempt to deliver the mail of the request, stored nowhere else: all attempts have one token. Undefined where there is nothing
     * left to accept.
     */
    async forMail(id: string, requestId: string) {
      const token = tokens.tokenOf(["invitation", requestId, id]);
      const now = clock.now();
      const { applied } = await database.batch([
        invitations.insertToken({ tokenHash: tokenHash(token), invitationId: id, now }),
      ]);
      const invitation = applied ? await invitations.byId(id) : undefined;
      return invitation && { invitation, token, expiresAt: invitation.expiresAt };
    },

    /** Returns whether the token leads to something to accept now. */
    async isOpen(token: string): Promise<boolean> {
      const row = await invitations.byToken(tokenHash(token));
      return row !== undefined && stateOf(row) === "waiting";
    },

    find: (token: string): Promise<InvitationRow> => findByHash(tokenHash(token)),

    findByHash,
  };
}

export type InvitationTokens = ReturnType<typeof createInvitationTokens>;

/** `void`: the inviter may no longer invite. */
type InvitationState = "waiting" | "accepted" | "withdrawn" | "expired" | "void";

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
