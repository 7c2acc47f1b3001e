import type { Config } from "../../../config/index.ts";
import { AppError } from "../../../core/errors.ts";
import type { Client } from "../../client.ts";
import { byUser } from "../../journal.ts";
import { noticeJob } from "../../mail/jobs.ts";
import type { SessionRow } from "../../session/session.repository.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { Evictions } from "../eviction/eviction.ts";
import type { Parts } from "../parts.ts";

type PasswordlessOptions = Parts<"journal" | "users" | "sessions" | "passkeyParts" | "clock"> & {
  readonly config: Pick<Config["auth"], "passwordless">;
  readonly evictions: Evictions;
};

/** One passkey that is lost must not be the last way in. */
const leastPasskeys = 2;

/** Accounts that are opened by passkeys alone. */
export const createPasswordless = ({
  config,
  journal,
  users,
  sessions,
  passkeyParts: { party, passkeys },
  evictions,
  clock,
}: PasswordlessOptions) => ({
  /** Whether a page may offer its reader to take the password off the account. */
  async canRemove({ id, passwordHash }: Pick<UserRow, "id" | "passwordHash">): Promise<boolean> {
    if (config.passwordless !== "allowed" || passwordHash === null) return false;
    return (await passkeys.list(id)).filter(({ rpId }) => rpId === party.id).length >= leastPasskeys;
  },

  /**
   * Takes the password off the account and ends the other sessions. A reset by mail can set one again, and asks for a passkey as before.
   * Throws `forbidden` where the setting does not allow it, `reauthentication_required`, and `last_auth_method` without two passkeys.
   */
  async remove(session: SessionRow, client: Client): Promise<UserRow> {
    if (config.passwordless !== "allowed")
      throw new AppError("forbidden", { detail: "AUTH_PASSWORDLESS does not allow it here." });
    await sessions.requireFreshProof(session);
    const { userId } = session;
    const removed = await journal.commit({
      statements: [
        users.lock(userId),
        users.removePassword(userId, { least: leastPasskeys, rpId: party.id }, clock.now()),
        sessions.hold(session),
        ...evictions.evict(userId, "password_changed", { exceptSession: session.id }).statements,
      ],
      jobs: [noticeJob("password_removed", { userId }, { client })],
      tell: [
        {
          topic: "auth.password-changed",
          payload: { user_id: userId },
          by: byUser(client),
          sessionId: session.id,
          reason: "password_removed",
        },
      ],
    });
    const user = await users.byId(userId);
    if (user === undefined || (!removed.applied && removed.failedGuard !== 1)) throw new AppError("unauthorized");
    if (!removed.applied && user.passwordHash !== null) throw new AppError("last_auth_method");
    return user;
  },
});

export type Passwordless = ReturnType<typeof createPasswordless>;
