import type { Clock } from "../../core/clock.ts";
import { checkedHandler, type JobContext, type JobHandler } from "../../core/job.ts";
import type { GrantPurpose } from "../grant/grant.columns.ts";
import type { GrantService } from "../grant/grant.service.ts";
import {
  EmailLoginPayload,
  EmailVerificationPayload,
  InvitationPayload,
  jobNames,
  NoticePayload,
  PasswordResetPayload,
  type NoticeMessage,
  type PasswordResetMessage,
} from "./jobs.ts";
import type { InvitationTokens } from "../invitation/invitation.tokens.ts";
import type { MailFates, MailOfUser } from "./fates.ts";
import type { MailKind } from "./kinds.ts";
import type { Notice } from "./notices.ts";
import { emailKey as keyOf, mailAddress } from "../user/identifiers.ts";
import { loginKey } from "../user/identifiers.ts";
import type { Addressee, Letters, Occasion } from "./letters.ts";
import type { MailCap } from "./withheld.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";

interface Pending {
  readonly user: UserRow;
  readonly pendingKey: string;
  readonly occasion: Occasion;
}

/** An address that its owner has proven, and the notice for it. */
interface ProvenAddress {
  readonly notice: Notice;
  readonly to: string;
  readonly email: string;
  readonly hadFactor: boolean;
  /** The request by which the grant of the link is known. */
  readonly request: string;
  /** Whether the address has not had its share of such mails yet. */
  readonly hasRoom: boolean;
}

const own = (user: UserRow): Addressee => ({ to: mailAddress(user), isOwn: true, user });
/** The recipient of a grant for the account's own address: such a grant carries no other address. */
const recipientOf = ({ id, emailKey }: UserRow) => ({ id, emailKey });
const mailOf = (kind: MailKind, { id: userId }: UserRow, job: JobContext): MailOfUser => ({
  kind,
  job,
  owner: { userId },
});
const occasionOf = (source: Omit<Occasion, "at">, { acceptedAt }: JobContext): Occasion => ({
  at: acceptedAt,
  device: source.device,
  address: source.address,
});

/** Returns the purpose of the link in the mail about something that its reader may not have done. */
const undoOf = (notice: Notice): GrantPurpose =>
  notice === "new_device" ? "session_undo" : notice === "identity_linked" ? "identity_undo" : "factor_undo";

/** A person without an account any more: greeted without a name, in the language that the job names. */
const strangerAs = ({ locale = null, timezone = null }: NoticeMessage): Addressee["user"] => ({
  displayName: "",
  emailVerifiedAt: null,
  locale,
  timezone,
});

/**
 * The worker makes the grant and the mail in one go, so that the raw token exists only in memory and in the mail. Each attempt to deliver a
 * mail sends the same link: an attempt that was reported as failed may have arrived.
 */
export function createJobHandlers(options: {
  readonly users: UserRepository;
  readonly grants: GrantService;
  readonly invitations: Pick<InvitationTokens, "forMail">;
  readonly cap: MailCap;
  readonly letters: Letters;
  readonly fates: Pick<MailFates, "send" | "heldBack">;
  readonly clock: Clock;
}): Readonly<Record<string, JobHandler>> {
  const { users, grants, invitations, cap, letters, fates, clock } = options;

  /** Tells the owner of an address that somebody asked to move another account to it. */
  async function tellOwner(owner: UserRow, { user, pendingKey, occasion }: Pending, job: JobContext): Promise<void> {
    await fates.heldBack(mailOf("email_change_link", user, job), "address_taken");
    if (owner.active !== 1) return;
    const mail = mailOf("address_claimed", owner, job);
    if (owner.emailVerifiedAt === null) return cap.withheld(mail, "address_not_proven");
    if (job.attempt === 1 && !(await cap.take(mail.kind, pendingKey)))
      return cap.withheld(mail, "cap_reached", user.id);
    // An owner who has left the address is told at that address: the account's new one may be a thief's.
    const to = owner.emailKey === pendingKey ? mailAddress(owner) : (user.pendingEmail ?? pendingKey);
    await fates.send(mail, letters.notice({ to, isOwn: true, user: owner }, occasion, "address_claimed"));
  }

  /** Mails the address that somebody typed. Its mails are counted over everybody who asks for them. */
  async function verifyPending(pending: Pending, job: JobContext): Promise<void> {
    const { user, pendingKey, occasion } = pending;
    if (user.pendingEmail === null || user.pendingEmailKey !== pendingKey) return;
    const owner = await users.claimantOfEmail(pendingKey, clock.now());
    if (owner !== undefined && owner.id !== user.id) return tellOwner(owner, pending, job);
    const mail = mailOf("email_change_link", user, job);
    if (job.attempt === 1 && !(await cap.take(mail.kind, pendingKey))) return cap.withheld(mail, "cap_reached");
    const recipient = { id: user.id, emailKey: pendingKey, email: user.pendingEmail };
    const granted = await grants.forMail(recipient, "email_verification", job.id);
    if ("withheld" in granted) return cap.withheld(mail, granted.withheld);
    const to = mailAddress({ email: user.pendingEmail, emailKey: pendingKey });
    await fates.send(mail, letters.emailVerification({ to, isOwn: false, user }, occasion, granted));
  }

  /**
   * Mails the address that an account leaves or has left, with a link that takes the change back. An address that was left is kept for as
   * long as the link is good.
   */
  async function tellProvenAddress(
    user: UserRow,
    { notice, to, email, hadFactor, request, hasRoom }: ProvenAddress,
    occasion: Occasion,
    job: JobContext,
  ): Promise<void> {
    const key = keyOf(email);
    if (key === undefined) throw new Error("the old address is not an address");
    const mail = mailOf(notice, user, job);
    const isAsked = notice === "email_change_requested";
    const purpose = isAsked ? "email_change_cancel" : hadFactor ? "email_change_undo" : "email_change_factor_undo";
    const recipient = { id: user.id, emailKey: key, email };
    // The mail is the only way back: it is held back only where the mailbox has another good link.
    if (!hasRoom && (await grants.hasOther(recipient, purpose, request))) return cap.withheld(mail, "cap_reached");
    const granted = await grants.forMail(recipient, purpose, request);
    if ("withheld" in granted) return cap.withheld(mail, granted.withheld);
    await users.keepAddressUntil(key, user.id, granted.expiresAt);
    const addressee = { to, isOwn: true, user };
    await fates.send(
      mail,
      isAsked
        ? letters.addressChangeAsked(addressee, occasion, granted)
        : letters.addressMoved(addressee, occasion, granted),
    );
  }

  /**
   * Mails a link that takes something back: a session, an identity, or all factors. Of factors, the account had no factor when the job was stored, so that the
   * link removes no factor that was there before. Earlier links stay good: a thief could otherwise void the owner's link by removing the
   * factor and adding it again.
   */
  async function tellOfAdded(
    user: UserRow,
    { notice, about, to = mailAddress(user), old_email, request }: NoticeMessage,
    occasion: Occasion,
    job: JobContext,
  ): Promise<void> {
    const mail = mailOf(notice, user, job);
    const emailKey = (old_email === undefined ? undefined : keyOf(old_email)) ?? user.emailKey;
    const granted = await grants.forMail({ id: user.id, emailKey }, undoOf(notice), request ?? job.id);
    if ("withheld" in granted) return cap.withheld(mail, granted.withheld);
    await fates.send(mail, letters.added({ to, isOwn: true, user }, occasion, { notice, about, link: granted }));
  }

  /**
   * Mails a link for a new password, or for the first one. A link that others than the account's person asked for is good for days, and only
   * for a first password. A stranger may ask as well, and gets nobody such a link.
   */
  async function sendPasswordLink(message: PasswordResetMessage, job: JobContext): Promise<void> {
    const user = await users.byLogin(loginKey(message.login));
    if (user?.active !== 1) return;
    const [isForFirst, isFirst] = [message.first_password === true, user.passwordHash === null];
    const mail = mailOf(isForFirst || isFirst ? "first_password_link" : "password_reset_link", user, job);
    // The person has chosen a password since the mail was asked for.
    if (isForFirst && !isFirst) return cap.withheld(mail, "link_ended");
    const granted = await grants.forMail(recipientOf(user), isForFirst ? "first_password" : "password_reset", job.id);
    if ("withheld" in granted) return cap.withheld(mail, granted.withheld);
    const occasion = occasionOf(message, job);
    await fates.send(
      mail,
      isFirst
        ? letters.firstPassword(own(user), isForFirst ? undefined : occasion, granted)
        : letters.passwordReset(own(user), occasion, granted),
    );
  }

  async function sendNotice(message: NoticeMessage, job: JobContext): Promise<void> {
    const { notice, to, user_id, about, team, old_email, first_factor } = message;
    const user = user_id === undefined ? undefined : await users.byId(user_id);
    const address = to ?? (user && mailAddress(user));
    if (address === undefined) return;
    const mail = user && mailOf(notice, user, job);
    // The account's own address has to be proven: otherwise a person who typed it could have a stranger mailed.
    if (mail !== undefined && to === undefined && user?.emailVerifiedAt === null)
      return cap.withheld(mail, "address_not_proven");
    const occasion = occasionOf(message, job);
    const hasRoom = job.attempt > 1 || (await cap.take(notice, address.toLowerCase()));
    const isOfAdded = first_factor === true || notice === "identity_linked" || notice === "new_device";
    if (user !== undefined && old_email !== undefined && !isOfAdded) {
      const hadFactor = message.without_factor !== true;
      const link = { hadFactor, request: message.request ?? job.id, hasRoom };
      return tellProvenAddress(user, { notice, to: address, email: old_email, ...link }, occasion, job);
    }
    if (!hasRoom) return mail && cap.withheld(mail, "cap_reached");
    if (user !== undefined && isOfAdded) return tellOfAdded(user, message, occasion, job);
    await fates.send(
      mail ?? { kind: notice, job, owner: undefined },
      letters.notice({ to: address, isOwn: true, user: user ?? strangerAs(message) }, occasion, notice, {
        about,
        team,
        organizationId: message.organization_id,
      }),
    );
  }

  return {
    [jobNames.sendPasswordReset]: checkedHandler(PasswordResetPayload, sendPasswordLink),

    [jobNames.sendEmailLogin]: checkedHandler(EmailLoginPayload, async ({ login, browser_hash, ...source }, job) => {
      const user = await users.byLogin(loginKey(login));
      if (user?.active !== 1) return;
      const mail = mailOf("email_login_link", user, job);
      const granted = await grants.forMailWithCode(recipientOf(user), "email_login", job.id, browser_hash);
      if ("withheld" in granted) return cap.withheld(mail, granted.withheld);
      await fates.send(mail, letters.emailLogin(own(user), occasionOf(source, job), granted));
    }),

    [jobNames.sendEmailVerification]: checkedHandler(EmailVerificationPayload, async (message, job) => {
      const { user_id, pending_key: pendingKey } = message;
      const user = await users.byId(user_id);
      if (user?.active !== 1) return;
      const occasion = occasionOf(message, job);
      if (pendingKey !== undefined) return verifyPending({ user, pendingKey, occasion }, job);
      if (user.emailVerifiedAt !== null) return;
      const mail = mailOf("email_verification_link", user, job);
      const granted = await grants.forMail(recipientOf(user), "email_verification", job.id);
      if ("withheld" in granted) return cap.withheld(mail, granted.withheld);
      await fates.send(mail, letters.emailVerification(own(user), occasion, granted));
    }),

    [jobNames.sendInvitation]: checkedHandler(InvitationPayload, async ({ invitation_id }, job) => {
      const made = await invitations.forMail(invitation_id, job.id);
      if (made === undefined) return;
      const mail = { kind: "invitation_link", job, owner: { addressKey: made.invitation.emailKey } } as const;
      await fates.send(mail, letters.invitation(made.invitation, made));
    }),

    [jobNames.sendNotice]: checkedHandler(NoticePayload, sendNotice),
  };
}
