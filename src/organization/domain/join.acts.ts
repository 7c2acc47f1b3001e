import type { Client, OrganizationAuth, SessionRow } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { tryAnew } from "../../core/pace/anew.ts";
import type { Joinable } from "./domain.repository.ts";
import type { DomainJoining } from "./joining.ts";

interface JoinOptions {
  readonly auth: Pick<OrganizationAuth, "userById" | "lockUser" | "holdSession" | "journal">;
  readonly joining: DomainJoining;
  readonly isMember: (organizationId: string, userId: string) => Promise<boolean>;
}

/** How people join an organization that is open to those with an address below its domain. */
export function createJoinActs({ auth, joining, isMember }: JoinOptions) {
  async function offered({ userId }: Pick<SessionRow, "userId">): Promise<Joinable | undefined> {
    const user = await auth.userById(userId);
    return user && joining.mayJoin(user);
  }

  return {
    /** Returns the organization that the person may join, if there is one. */
    offered,

    /** Makes the person a member. Throws `organization_not_found` where nothing invites them, `member_exists` and `limit_reached`. */
    async join(session: SessionRow, client: Client, id: string): Promise<void> {
      await tryAnew(async () => {
        const found = await offered(session);
        if (found?.organizationId !== id)
          throw new AppError((await isMember(id, session.userId)) ? "member_exists" : "organization_not_found");
        const { statements, tell } = joining.joining(found, session.userId, { actor: "user", origin: client });
        const done = await auth.journal.commit({
          statements: [auth.lockUser(session.userId), auth.holdSession(session), ...statements],
          tell,
        });
        if (done.applied) return true;
        if (done.failedGuard < 2) throw new AppError("unauthorized");
        const isStillOpen = (await offered(session))?.organizationId === id;
        if (isStillOpen && done.failedGuard < 4) throw new AppError("limit_reached");
        return undefined;
      });
    },
  };
}

export type JoinActs = ReturnType<typeof createJoinActs>;
