import type { Person } from "../../support/auth.ts";
import type { Answer, Client } from "../../support/client.ts";
import type { Stage } from "../../support/stage.ts";

export const organizations = "/api/v1/auth/organizations";
export const organizationsOn = { ORGANIZATIONS_ENABLED: "true" } as const;

export const of = (id: string, ...path: string[]): string => [organizations, id, ...path].join("/");

/** Makes organizations and lets people join them. */
export function organizationKit({ people, mailbox }: Pick<Stage, "people" | "mailbox">) {
  async function create(owner: Person, name = "Acme Inc"): Promise<string> {
    const made = await owner.client.post(organizations, { name });
    if (made.status !== 200) throw new Error(`no organization: ${made.status} ${made.text}`);
    return made.textAt("organization.id");
  }

  /** Resolves to the token in the mail that an address was sent. */
  async function invitationOf(email: string): Promise<string> {
    for (;;) {
      const { text } = await mailbox.next(email);
      const [, token] = /accept-invitation\?token=(\S+)/.exec(text) ?? [];
      if (token !== undefined) return token;
    }
  }

  const accept = (client: Client, token: string, more: object = {}): Promise<Answer> =>
    client.post("/api/v1/auth/invitation/accept", { token, ...more });

  return {
    create,
    invitationOf,
    accept,

    /** Has somebody with an account join by an invitation. */
    async join(inviter: Person, id: string, person: Person, roles: readonly string[] = ["member"]): Promise<void> {
      const invited = await inviter.client.post(of(id, "invitations"), { email: person.email, roles });
      if (invited.status !== 200) throw new Error(`not invited: ${invited.status} ${invited.text}`);
      const accepted = await accept(person.client, await invitationOf(person.email));
      if (accepted.status !== 200) throw new Error(`not accepted: ${accepted.status} ${accepted.text}`);
    },

    /** Makes an organization with an owner, an admin and a member. */
    async team(name?: string) {
      const [ada, grace, edith] = [
        await people.register("ada"),
        await people.register("grace"),
        await people.register("edith"),
      ];
      const id = await create(ada, name);
      await this.join(ada, id, grace, ["admin"]);
      await this.join(ada, id, edith);
      return { id, owner: ada, admin: grace, member: edith };
    },
  };
}
