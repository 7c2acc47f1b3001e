import type { By } from "../../../core/audit.ts";
import { AppError, overtaken } from "../../../core/errors.ts";
import type { Job } from "../../../core/job.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import type { Client } from "../../client.ts";
import { byUser } from "../../journal.ts";
import type { MailFates } from "../../mail/fates.ts";
import { accountDeletedJob, mentionsOf } from "../../mail/jobs.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { Parts } from "../parts.ts";
import type { Memberships } from "../organization/memberships.ts";
import type { ReauthenticationService } from "./reauthentication.service.ts";

type DeletionOptions = Parts<
  "journal" | "users" | "sessions" | "pressure" | "invitations" | "jobMentions" | "clock"
> & {
  readonly reauthentication: ReauthenticationService;
  readonly mails: Pick<MailFates, "forgetAddress">;
  readonly memberships: Pick<Memberships, "isLastOwner">;
};

interface Circumstances {
  readonly by: By;
  /** The app whose worker sends the last mail; by default the app that runs this. */
  readonly mailsFrom?: Job["app"];
  readonly sessionId?: string;
  /** The client whose request the mail tells of. */
  readonly client?: Client;
  /** More guards of the deletion, in the order of locks: the user first. */
  readonly holds?: readonly Statement[];
}

/**
 * Deletes accounts. A user's row takes along its sessions, mailed tokens, identities, invitations, locks and the jobs about it. Rows of the
 * audit log stay: they hold ids and client addresses, no name and no mail address. A proven address gets one last mail.
 */
export function createDeletion(options: DeletionOptions) {
  const { journal, users, sessions, pressure, invitations, mails, memberships, jobMentions, clock } = options;
  const { reauthentication } = options;

  /**
   * Deletes the user. Returns undefined once that is done, otherwise the index of the statement that did not hold: the last one's where the
   * user was changed or is gone.
   */
  async function erase(
    user: UserRow,
    { by, mailsFrom, sessionId, client, holds = [] }: Circumstances,
  ): Promise<number | undefined> {
    const erasing = journal.commit({
      statements: [
        ...holds,
        users.remove(user),
        invitations.forget(user.emailKey),
        ...pressure.forgive(user),
        mails.forgetAddress(user.emailKey),
        jobMentions.drop(mentionsOf(user)),
      ],
      jobs:
        user.emailVerifiedAt === null
          ? []
          : [{ ...accountDeletedJob(user, client), ...(mailsFrom && { app: mailsFrom }) }],
      tell: [{ topic: "auth.user-deleted", payload: { user_id: user.id }, by, sessionId }],
    });
    // Two owners who go at the same moment both see the other one; the database then refuses the second.
    const erased = await erasing.catch(async (error: unknown) => {
      if (await memberships.isLastOwner(user.id)) return { applied: false, failedGuard: holds.length } as const;
      throw error;
    });
    return erased.applied ? undefined : erased.failedGuard;
  }

  /** Says why an account that is still there was not deleted. */
  const refusal = async ({ id }: UserRow): Promise<AppError> =>
    (await memberships.isLastOwner(id)) ? new AppError("last_owner") : overtaken();

  /**
   * Confirms that the user is at hand. An account without a password is proven by a sign-in with a provider, which must be a few minutes
   * old at most.
   */
  async function confirm(session: SessionRow, password: string | undefined, client: Client): Promise<UserRow> {
    const user = await users.byId(session.userId);
    if (user === undefined) throw new AppError("unauthorized");
    if (user.passwordHash === null) {
      await sessions.requireFreshProof(session);
      return user;
    }
    if (password === undefined) throw new AppError("reauthentication_required");
    return reauthentication.confirm(session, password, client, "invalid_credentials");
  }

  return {
    /**
     * Deletes the account of the session's own user. Of two deletions at once the second one is `unauthorized`. Resolves to the deleted
     * user.
     */
    async deleteOwn(session: SessionRow, password: string | undefined, client: Client): Promise<UserRow> {
      const user = await confirm(session, password, client);
      const holds = [users.hold(user.id, clock.now()), sessions.hold(session)];
      const failed = await erase(user, { by: byUser(client), sessionId: session.id, client, holds });
      if (failed === undefined) return user;
      throw failed < holds.length ? new AppError("unauthorized") : await refusal(user);
    },

    /**
     * Deletes an account on behalf of an operator, a member of staff or a service. Returns undefined once that is done, otherwise the index
     * of the statement in `holds` that did not hold. Throws `not_found` when the account is gone.
     */
    async delete(user: UserRow, by: By, holds: readonly Statement[] = []): Promise<number | undefined> {
      const failed = await erase(user, { by, holds, mailsFrom: "app" });
      if (failed === undefined || failed < holds.length) return failed;
      throw (await users.byId(user.id)) === undefined ? new AppError("not_found") : await refusal(user);
    },
  };
}

export type DeletionService = ReturnType<typeof createDeletion>;
