import type { OrganizationAuth } from "../auth/index.ts";
import type { Job } from "../core/job.ts";
import type { Actor } from "./actor.ts";
import type { MemberRepository } from "./member.repository.ts";
import type { OrganizationRepository } from "./organization.repository.ts";

interface NoticeOptions {
  readonly organizations: Pick<OrganizationRepository, "byId">;
  readonly members: Pick<MemberRepository, "owners">;
  readonly noticeOf: OrganizationAuth["noticeOf"];
}

type Notice = Parameters<OrganizationAuth["noticeOf"]>[0];

interface Happened {
  /** The domain that it happened to. */
  readonly about?: string;
  /** Who did it: the mail says from where, if it was a person. */
  readonly actor?: Actor;
}

/** An organization of more owners tells as many of them. */
const mostTold = 100;

/** Makes the mails that tell the owners of an organization, who answer for it, of what decides who gets in. */
export const createOwnerNotices =
  ({ organizations, members, noticeOf }: NoticeOptions) =>
  async (notice: Notice, organizationId: string, { about, actor }: Happened = {}): Promise<readonly Job[]> => {
    const organization = await organizations.byId(organizationId);
    if (organization === undefined) return [];
    const owners = await members.owners(organizationId, mostTold);
    const client = actor?.kind === "person" ? actor.client : undefined;
    return owners
      .filter(({ userActive }) => userActive === 1)
      .map(({ userId }) => noticeOf(notice, { userId, organizationId, team: organization.name }, { about, client }));
  };

export type OwnerNotices = ReturnType<typeof createOwnerNotices>;
