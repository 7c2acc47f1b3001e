import type { By } from "../../core/audit.ts";
import { AppError } from "../../core/errors.ts";
import { invitingShares } from "../flow/invitation/inviting.shares.ts";
import type { Parts } from "../flow/parts.ts";
import { emailVerificationJob, firstPasswordJob, passwordResetJob } from "../mail/jobs.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { createActs } from "./acts.ts";
import { upkeep } from "./upkeep.repository.ts";

type GivingActOptions = Parts<"users" | "pressure"> & { readonly acts: Pick<ReturnType<typeof createActs>, "commit"> };

/** Acts that give something away: links to the person, by which they go on themselves, and what is kept of them to the caller. */
export function createGivingActs({ users, pressure, acts }: GivingActOptions) {
  /** Mails a link to a new password, or to the first one; resolves to which. Throws `account_inactive` and `rate_limited`. */
  async function sendPasswordReset(user: UserRow, by: By): Promise<"first" | "new"> {
    const isFirst = user.passwordHash === null;
    const shares = isFirst ? invitingShares(pressure, user.emailKey, by) : undefined;
    const sent = await acts.commit({
      shares,
      user,
      by,
      statements: [users.lock(user.id)],
      // The link leads to the pages of the app that people use, whichever app asks for the mail.
      jobs: [isFirst ? firstPasswordJob(user) : { ...passwordResetJob(user.email), app: "app" }],
      tell: [{ topic: "auth.password-reset-sent", payload: { user_id: user.id }, by }],
    });
    if (sent === undefined)
      throw new AppError((await users.byId(user.id)) === undefined ? "not_found" : "account_inactive");
    return isFirst ? "first" : "new";
  }

  /** Mails the link once more that proves the address. False where it is proven. Throws `account_inactive`. */
  async function sendVerification(user: UserRow, by: By): Promise<boolean> {
    if (user.emailVerifiedAt !== null) return false;
    if (user.active !== 1) throw new AppError("account_inactive");
    const done = await acts.commit({
      user,
      by,
      statements: [upkeep.holdAny(user.id)],
      // The link leads to the pages of the app that people use, whichever app asks for the mail.
      jobs: [{ ...emailVerificationJob(user.id), app: "app" }],
      tell: [{ topic: "auth.verification-sent", payload: { user_id: user.id }, by }],
    });
    return done !== undefined;
  }

  /** Writes down that everything kept of the account is given to the caller. Resolves to its id, by which it is read. */
  async function recordExport(user: UserRow, by: By): Promise<string> {
    const tell = [{ topic: "auth.user-exported", payload: { user_id: user.id }, by } as const];
    await acts.commit({ user, by, statements: [upkeep.holdAny(user.id)], tell });
    return user.id;
  }

  return { sendPasswordReset, sendVerification, recordExport };
}
