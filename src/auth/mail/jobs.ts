import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Job, JobHandler, JobPayload } from "../../core/job.ts";

export const jobNames = {
  sendPasswordReset: "auth:send-password-reset",
  sendEmailVerification: "auth:send-email-verification",
  sendNotice: "auth:send-notice",
} as const;

/** What happens to an account and is told to its user by mail. */
export const notices = [
  "password_changed",
  "password_reset",
  "email_changed",
  "refresh_reused",
  "registration_attempted",
  "identity_linked",
  "identity_unlinked",
  "account_locked",
  "logins_blocked",
] as const;
export type Notice = (typeof notices)[number];

/**
 * A notice goes to the user's address, or to `to` when the address just left is the one to tell. `about` names what it
 * happened to, where the notice leaves room for it.
 */
export const noticeJob = (notice: Notice, target: { userId: string } | { to: string }, about?: string): Job => ({
  name: jobNames.sendNotice,
  payload: {
    notice,
    ...("to" in target ? { to: target.to } : { user_id: target.userId }),
    ...(about === undefined ? {} : { about }),
  },
});

export const passwordResetJob = (login: string): Job => ({ name: jobNames.sendPasswordReset, payload: { login } });

export const emailVerificationJob = (userId: string): Job => ({
  name: jobNames.sendEmailVerification,
  payload: { user_id: userId },
});

export const NoticePayload = Type.Object({
  notice: Type.Union(notices.map((notice) => Type.Literal(notice))),
  to: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String()),
  about: Type.Optional(Type.String()),
});
export const PasswordResetPayload = Type.Object({ login: Type.String() });
export const EmailVerificationPayload = Type.Object({ user_id: Type.String() });

/** Checks the payload before it handles it: another release may have stored it. */
export const checkedHandler =
  <T extends TSchema>(schema: T, handle: (payload: Static<T>) => Promise<void>): JobHandler =>
  (payload: JobPayload) => {
    if (!Value.Check(schema, payload)) throw new Error("the payload does not fit this job");
    return handle(payload);
  };
