import type { GrantPurpose, GrantRow } from "../grant/grant.columns.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { Parts } from "./parts.ts";

/** The links of mails by what redeems them, each with what it can be for. */
export interface LinkKinds {
  readonly verification: "address" | "new_address";
  readonly login: "sign_in";
  readonly change: "waiting_change" | "change";
}
export type LinkName = keyof LinkKinds;

interface Link<Kind> {
  readonly purposes: readonly GrantPurpose[];
  /** Undefined where the link is not good for the account as that is now. */
  readonly kindOf: (grant: GrantRow, user: UserRow) => Kind | undefined;
}

const links: { readonly [Name in LinkName]: Link<LinkKinds[Name]> } = {
  verification: {
    purposes: ["email_verification"],
    kindOf({ email, emailKey }, user) {
      // A link to the address that the account has proves it; one that carries another address moves the account there.
      if (email === null) return emailKey === user.emailKey ? "address" : undefined;
      return emailKey === user.pendingEmailKey ? "new_address" : undefined;
    },
  },
  login: {
    purposes: ["email_login"],
    kindOf: ({ emailKey }, user) => (emailKey === user.emailKey ? "sign_in" : undefined),
  },
  change: {
    purposes: ["email_change_cancel", "email_change_undo", "email_change_factor_undo"],
    // One link gives up a change that waits, and undoes it once the account has moved.
    kindOf: ({ emailKey }, user) => (emailKey === user.emailKey ? "waiting_change" : "change"),
  },
};

/** Looks at mailed links for pages, which say that a link is dead before they ask for anything. Redeems nothing. */
export const createMailedLinks = ({ grants, users }: Parts<"grants" | "users">) => ({
  async inspect<Name extends LinkName>(name: Name, token: string): Promise<LinkKinds[Name] | undefined> {
    const { purposes, kindOf } = links[name];
    for (const purpose of purposes) {
      const grant = await grants.find(token, purpose);
      const user = grant === undefined ? undefined : await users.byId(grant.userId);
      if (grant !== undefined && user?.active === 1) return kindOf(grant, user);
    }
    return undefined;
  },
});

export type MailedLinks = ReturnType<typeof createMailedLinks>;
