import { signal } from "@preact/signals";
import type { Failure, Member, OrganizationInvitation, OwnOrganization, Result } from "../../../../client/index.ts";
import { resourcesOf } from "../../acts/holdings.ts";
import { rankOf, ranks, type Rank } from "../../acts/roles.ts";
import type { Account } from "../../context.ts";

type Paged<Answer> = Result<Answer & { readonly next: string | null }>;

/** A list that the service gives in pages. */
function createPages<Answer, Item>(
  heard: Account["connection"]["heard"],
  ask: (cursor?: string) => Promise<Paged<Answer>>,
  read: (answer: Answer) => readonly Item[],
) {
  const next = signal<string | null>(null);
  const first = resourcesOf({ heard })(ask, (answer) => {
    next.value = answer.next;
    return read(answer);
  });
  return {
    ...first,
    next,
    /** Asks for the next page. */
    ask: () => ask(next.value ?? undefined),
    add(answer: Answer & { readonly next: string | null }): void {
      next.value = answer.next;
      first.set([...(first.value.value ?? []), ...read(answer)]);
    },
  };
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

export type Team = ReturnType<typeof createTeam>;

export interface TeamProps {
  readonly team: Team;
}
export interface OrganizationProps extends TeamProps {
  readonly organization: OwnOrganization;
}

/** One organization with its members and invitations, and what the reader may do there. */
export function createTeam({ client, connection: { heard }, session }: Account, id: string) {
  const isMissing = signal(!isId(id));
  async function ask(): Promise<Result<{ organization: OwnOrganization }>> {
    const result = await client.getOrganization(id);
    if (!result.ok && result.code === "organization_not_found") isMissing.value = true;
    return result;
  }
  const organization = resourcesOf({ heard })(ask, (answer) => answer.organization);
  const members = createPages(
    heard,
    (cursor) => client.listMembers(id, cursor === undefined ? {} : { cursor }),
    (answer: { readonly members: readonly Member[] }) => answer.members,
  );
  const invitations = createPages(
    heard,
    (cursor) => client.listOrganizationInvitations(id, cursor === undefined ? {} : { cursor }),
    (answer: { readonly invitations: readonly OrganizationInvitation[] }) => answer.invitations,
  );

  const rank = (): Rank => rankOf(organization.value.value?.roles ?? []);
  const isSelf = ({ user }: Member): boolean => user.id === session.user.value?.id;
  const count = (more: number): void => {
    const known = organization.value.value;
    if (known !== undefined) organization.set({ ...known, members: known.members + more });
  };

  return {
    id,
    /** Whether the service knows of no such organization of the reader. */
    isMissing,
    organization,
    members,
    invitations,
    isSelf,
    /** Whether the reader looks after the members. */
    mayManage: (): boolean => rank() !== "member",
    isOwner: (): boolean => rank() === "owner",
    /** The ranks that the reader may give. */
    gives: (): readonly Rank[] => (rank() === "owner" ? ranks : ranks.filter((each) => each !== "owner")),
    /** Whether the reader may change what this member is: owners alone look after owners. */
    mayChange: ({ roles }: Pick<Member, "roles">): boolean =>
      rank() === "owner" || (rank() === "admin" && rankOf(roles) !== "owner"),
    /** Whether nobody else owns the organization, as far as all members are known. */
    isOnlyOwner: (): boolean =>
      rank() === "owner" &&
      members.next.value === null &&
      members.value.value?.every((each) => isSelf(each) || rankOf(each.roles) !== "owner") === true,

    async load(): Promise<void> {
      if (isMissing.value) return;
      await Promise.all([organization.load(), members.load()]);
      if (rank() !== "member") await invitations.load();
    },
    changed(member: Member): void {
      members.set((members.value.value ?? []).map((each) => (each.user.id === member.user.id ? member : each)));
      const known = organization.value.value;
      if (isSelf(member) && known !== undefined) organization.set({ ...known, roles: member.roles });
    },
    gone({ user }: Member): void {
      members.set((members.value.value ?? []).filter((each) => each.user.id !== user.id));
      count(-1);
    },
    invited(one: OrganizationInvitation): void {
      invitations.set([one, ...(invitations.value.value ?? []).filter((each) => each.id !== one.id)]);
    },
    withdrawn({ id: gone }: OrganizationInvitation): void {
      invitations.set((invitations.value.value ?? []).filter((each) => each.id !== gone));
    },
  };
}

/** Counts what has ended meanwhile as ended by the reader. */
export const unlessGone = (result: Result, ...gone: readonly Failure["code"][]): { ok: true } | Failure =>
  result.ok || gone.includes(result.code) ? { ok: true } : result;
