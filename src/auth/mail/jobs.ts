import { Type, type Static } from "@sinclair/typebox";
import { hour, minute } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { Job } from "../../core/job.ts";
import type { Client } from "../client.ts";
import type { PayloadField } from "../../drivers/queue/index.ts";
import { deviceLabel } from "../device.ts";
import { mailAddress } from "../user/identifiers.ts";
import type { UserRow } from "../user/user.repository.ts";
import { notices, type Notice, type OrganizationNotice } from "./notices.ts";

export const jobNames = {
  sendPasswordReset: "auth:send-password-reset",
  sendEmailLogin: "auth:send-email-login",
  sendEmailVerification: "auth:send-email-verification",
  sendInvitation: "auth:send-invitation",
  sendNotice: "auth:send-notice",
} as const;

/**
 * How long a relay may be down before a mail is given up and left to an operator: for a reset or a sign-in as long as somebody may still be
 * waiting for it. Each attempt renews the link, so a late mail is as good as an early one.
 */
const worthMs = {
  reset: hour,
  firstPassword: 72 * hour,
  emailLogin: 15 * minute,
  verification: 24 * hour,
  notice: 24 * hour,
} as const;

/** The device and address that a request came from, for the mail about it. Jobs that 0.1.0 stored have neither. */
type Source = Pick<Client, "address" | "userAgent">;
const sourceFields = { device: Type.Optional(Type.String()), address: Type.Optional(Type.String()) };
const sourceOf = (source: Source | undefined) =>
  source === undefined ? {} : { device: deviceLabel(source.userAgent), address: source.address };

interface NoticeDetails {
  /** The thing that the event happened to, where the notice names one. */
  readonly about?: string | undefined;
  readonly client?: Source | undefined;
}

/** Makes the job of a notice, which goes to the user's address. */
export const noticeJob = (
  notice: Notice,
  { userId }: { userId: string },
  { about, client }: NoticeDetails = {},
): Job => ({
  name: jobNames.sendNotice,
  payload: {
    notice,
    user_id: userId,
    ...(about === undefined ? {} : { about }),
    ...sourceOf(client),
  },
  retryForMs: worthMs.notice,
});

/**
 * Tells of a second factor that `user` did not have yet. The mail of the first factor goes to the proven address of this moment, with a
 * link that takes the factor back: a thief who moves the account before the mail is sent does not become its reader.
 */
export function factorAddedJob(notice: "totp_added" | "passkey_added", user: UserRow, details: NoticeDetails): Job {
  const job = noticeJob(notice, { userId: user.id }, details);
  if (user.factors !== 0) return job;
  const proven = user.emailVerifiedAt === null ? {} : { to: mailAddress(user), old_email: user.email };
  return { ...job, payload: { ...job.payload, first_factor: true, ...proven } };
}

/**
 * Tells of a sign-in by a browser that the account does not know. The request of its link is the session. The mail goes to the
 * proven address of this moment, since the account may be moved before it is sent.
 */
export const newDeviceJob = (user: UserRow, sessionId: string, client: Source): Job =>
  noticeToAddress("new_device", user, { request: sessionId, ...sourceOf(client) });

/** The purpose of the link of a mail about an address, and the request by which its grant is known. */
export interface AddressLink {
  readonly purpose: "email_change_cancel" | "email_change_undo" | "email_change_factor_undo";
  readonly request: string;
}

/** Makes the link that gives up a waiting address. */
export const cancelLink = (): AddressLink => ({ purpose: "email_change_cancel", request: newId() });

/**
 * Makes the link that brings a moved account back. Where the account had no second factor until now, the link removes those that it has by
 * then.
 */
export const undoLink = ({ factors }: Pick<UserRow, "factors">): AddressLink => ({
  purpose: factors === 0 ? "email_change_factor_undo" : "email_change_undo",
  request: newId(),
});

/** Makes the mail to the proven address of an account that asks to move to another one, with a link that gives that up. */
export const addressChangeAskedJob = (user: UserRow, link: AddressLink, client: Source): Job =>
  noticeToAddress("email_change_requested", user, { request: link.request, ...sourceOf(client) });

/** Makes the mail to the address that an account had until now, with a link that restores it. No `client`: a backend has moved the account. */
export const addressMovedJob = (user: UserRow, { purpose, request }: AddressLink, client?: Source): Job =>
  noticeToAddress("email_changed", user, {
    ...(purpose === "email_change_factor_undo" ? { without_factor: true } : {}),
    request,
    ...sourceOf(client),
  });

/** Makes the mail to the address that an account has lost again, because its owner took the change back. */
export const addressTakenBackJob = (user: UserRow, client: Source): Job => ({
  name: jobNames.sendNotice,
  payload: { notice: "email_change_undone", user_id: user.id, to: mailAddress(user), ...sourceOf(client) },
  retryForMs: worthMs.notice,
});

/** Makes a notice to the account's address at the time when the job is stored, in its spelling then. */
const noticeToAddress = (notice: Notice, user: UserRow, details: Readonly<Record<string, unknown>>): Job => ({
  name: jobNames.sendNotice,
  payload: { notice, user_id: user.id, to: mailAddress(user), old_email: user.email, ...details },
  retryForMs: worthMs.notice,
});

/** Makes the mail to an account that is gone once the mail is sent: the job holds address, language and time zone. */
export const accountDeletedJob = (user: UserRow, client?: Source): Job => ({
  name: jobNames.sendNotice,
  payload: {
    notice: "account_deleted",
    to: mailAddress(user),
    locale: user.locale,
    timezone: user.timezone,
    ...sourceOf(client),
  },
  retryForMs: worthMs.notice,
});

/** Tells an owner of what has happened to their organization. The mail leads to its page, which the app has that people use. */
export const organizationNoticeJob = (
  notice: OrganizationNotice,
  { userId, organizationId, team }: { userId: string; organizationId: string; team: string },
  details: NoticeDetails,
): Job => {
  const job = noticeJob(notice, { userId }, details);
  return { ...job, payload: { ...job.payload, organization_id: organizationId, team }, app: "app" };
};

/** Returns the fields that name this account in the payloads of jobs. */
export const mentionsOf = (user: UserRow): readonly PayloadField[] =>
  [{ field: "user_id", value: user.id }, ...new Set([user.email, user.emailKey, user.username, user.usernameKey])].map(
    (mark) => (typeof mark === "string" ? { field: "login", value: mark } : mark),
  );

export const passwordResetJob = (login: string, client?: Source): Job => ({
  name: jobNames.sendPasswordReset,
  payload: { login, ...sourceOf(client) },
  retryForMs: worthMs.reset,
});

/**
 * Makes the job of the link by which a person chooses the first password of an account that others made. It leads to the pages of the app
 * that people use, whichever app asks for the mail.
 */
export const firstPasswordJob = ({ email }: Pick<UserRow, "email">): Job => ({
  name: jobNames.sendPasswordReset,
  payload: { login: email, first_password: true },
  app: "app",
  retryForMs: worthMs.firstPassword,
});

/** Makes the job of a sign-in mail. `browserHash` is the hash of the secret of the browser that may use the mail's code. */
export const emailLoginJob = (login: string, browserHash: string, client: Source): Job => ({
  name: jobNames.sendEmailLogin,
  payload: { login, browser_hash: browserHash, ...sourceOf(client) },
  retryForMs: worthMs.emailLogin,
});

/**
 * Makes the job of a verification mail. `pendingKey` is the new address that waits for its confirmation; without it the mail goes to the
 * address of the account.
 */
export const emailVerificationJob = (userId: string, client?: Source, pendingKey?: string): Job => ({
  name: jobNames.sendEmailVerification,
  payload: { user_id: userId, ...(pendingKey === undefined ? {} : { pending_key: pendingKey }), ...sourceOf(client) },
  retryForMs: worthMs.verification,
});

/**
 * The payload holds no address: an invitation that is deleted takes the address along. Whichever app asks, the link leads to the API app,
 * which has the page.
 */
export const invitationJob = (invitationId: string, worthForMs: number): Job => ({
  name: jobNames.sendInvitation,
  payload: { invitation_id: invitationId },
  app: "app",
  retryForMs: worthForMs,
});

/**
 * Tells the owner of an address that somebody tried to register it. An account that has left the address and can be taken back there is
 * told only at that address. An account that was never proven gets only its verification, which its maker has asked for as well.
 */
export function addressTakenJob(owner: UserRow, address: Pick<UserRow, "email" | "emailKey">, client: Source): Job {
  const notice = noticeJob("registration_attempted", { userId: owner.id }, { client });
  if (owner.emailKey !== address.emailKey)
    return { ...notice, payload: { ...notice.payload, to: mailAddress(address) } };
  return owner.emailVerifiedAt === null ? emailVerificationJob(owner.id, client) : notice;
}

export const NoticePayload = Type.Object({
  notice: Type.Union(notices.map((notice) => Type.Literal(notice))),
  to: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String()),
  about: Type.Optional(Type.String()),
  organization_id: Type.Optional(Type.String()),
  team: Type.Optional(Type.String()),
  old_email: Type.Optional(Type.String()),
  first_factor: Type.Optional(Type.Boolean()),
  without_factor: Type.Optional(Type.Boolean()),
  request: Type.Optional(Type.String()),
  locale: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  timezone: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  ...sourceFields,
});
export type NoticeMessage = Static<typeof NoticePayload>;
export const InvitationPayload = Type.Object({ invitation_id: Type.String() });
export const PasswordResetPayload = Type.Object({
  login: Type.String(),
  first_password: Type.Optional(Type.Boolean()),
  ...sourceFields,
});
export type PasswordResetMessage = Static<typeof PasswordResetPayload>;
export const EmailLoginPayload = Type.Object({ login: Type.String(), browser_hash: Type.String(), ...sourceFields });
export const EmailVerificationPayload = Type.Object({
  user_id: Type.String(),
  pending_key: Type.Optional(Type.String()),
  ...sourceFields,
});
