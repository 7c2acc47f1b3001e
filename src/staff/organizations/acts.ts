import type { Accounts } from "../../auth/index.ts";
import type { By } from "../../core/audit.ts";
import { AppError, invalidFields } from "../../core/errors.ts";
import { missingField } from "../../core/fields.ts";
import { readRoles, type FoundOrganization, type OrganizationDesk } from "../../organization/index.ts";
import type { Notice } from "../../kit/index.ts";
import type { NewFields } from "./new.page.tsx";
import { pathOf } from "./paths.ts";

interface ActOptions {
  readonly organizations: Pick<OrganizationDesk, "acts">;
  readonly accounts: Pick<Accounts, "idOf">;
}

const good = (text: string, undo?: Notice["undo"]): Notice => ({ kind: "good", text, ...(undo && { undo }) });
const unchanged = (text: string): Notice => ({ kind: "warning", text });
const office = (by: By) => ({ kind: "office", by }) as const;
/** A notice has room for so much of a name. */
const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const longestName = 100;

const faultWords: Readonly<Record<string, string>> = {
  not_found: "Nobody has this name, address or id.",
  account_inactive: "This account is disabled: enable it first.",
  member_exists: "This person is a member already: change their roles in the list.",
  limit_reached: "There is no more room: the organization is full, or this person is in as many as one can be in.",
  slug_taken: "Another organization has this slug, or one that looks like it.",
};

/** Says at which field of a form a refusal belongs; undefined for what no form is to blame for. `person` is the field that names somebody. */
export function refusalIn(error: unknown, person = "login") {
  if (!(error instanceof AppError)) return undefined;
  if (error.reason === "invalid_payload") {
    const faults = Object.entries(error.fields ?? {});
    return {
      errors: Object.fromEntries(faults.map(([field, { complaint }]) => [field, `This ${complaint}.`])),
      refusal: error,
    };
  }
  const words = faultWords[error.reason];
  if (words === undefined) return undefined;
  return { errors: { [error.reason === "slug_taken" ? "slug" : person]: words }, refusal: error };
}

/** What staff do to organizations. Each act resolves to a notice of the result, with a way to undo it where there is one. */
export function createOrganizationActs({ organizations: { acts }, accounts }: ActOptions) {
  /** Says of an act that takes an active account, where it has found none, that the account is there and disabled. */
  async function giving<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof AppError && error.reason === "not_found" ? new AppError("account_inactive") : error;
    }
  }

  const removal = (id: string, userId: string, label: string): Notice["undo"] => ({
    action: `${pathOf(id)}/remove-member`,
    label,
    fields: { user: userId },
  });

  async function join(by: By, { id, name }: FoundOrganization, userId: string, roles: readonly string[]) {
    await giving(() => acts.members.add(office(by), id, userId, roles));
    const { displayName } = await acts.members.find(id, userId);
    return good(
      `${brief(displayName)} is in ${brief(name)} now, as ${brief(roles.join(", "))}.`,
      removal(id, userId, "Take out again"),
    );
  }

  async function change(by: By, { id }: FoundOrganization, userId: string, roles: readonly string[]) {
    const before = await acts.members.find(id, userId);
    const after = await acts.members.setRoles(office(by), id, userId, roles);
    if (after.roles === before.roles) return unchanged(`${brief(before.displayName)} has these roles already.`);
    const words = readRoles(after.roles).join(", ");
    return good(`${brief(before.displayName)} is ${brief(words)} now, from the next request on.`, {
      action: `${pathOf(id)}/roles`,
      label: "Give back what they had",
      fields: { user: userId, roles: before.roles.slice(0, 200) },
    });
  }

  return {
    async create(by: By, { name, slug, owner }: NewFields) {
      if (name === "" || name.length > longestName) throw invalidFields({ name: missingField });
      const userId = await accounts.idOf(owner);
      const asked = { name, userId, ...(slug !== "" && { slug }) };
      const id = await giving(() => acts.organizations.create(asked, office(by)));
      return { id, notice: good(`${brief(name)} is made.`) };
    },

    add: async (by: By, organization: FoundOrganization, login: string, roles: readonly string[]) =>
      join(by, organization, await accounts.idOf(login), roles),

    /** Makes a member an owner besides what they are, and lets anybody else join as one. */
    async makeOwner(by: By, organization: FoundOrganization, login: string): Promise<Notice> {
      const userId = await accounts.idOf(login);
      try {
        const { roles, userActive } = await acts.members.find(organization.id, userId);
        if (userActive === 0) throw new AppError("account_inactive");
        return await change(by, organization, userId, [...readRoles(roles), "owner"]);
      } catch (error) {
        if (!(error instanceof AppError) || error.reason !== "member_not_found") throw error;
        return join(by, organization, userId, ["owner"]);
      }
    },

    setRoles: change,

    async remove(by: By, { id, name }: FoundOrganization, userId: string): Promise<Notice> {
      const { displayName, roles } = await acts.members.find(id, userId);
      await acts.members.remove(office(by), id, userId);
      return good(`${brief(displayName)} is no longer in ${brief(name)}.`, {
        action: `${pathOf(id)}/add-member`,
        label: "Add again",
        fields: { login: userId, roles: roles.slice(0, 200) },
      });
    },

    async withdraw(by: By, { id }: FoundOrganization, invitation: string): Promise<Notice> {
      const { email } = await acts.withdraw(office(by), id, invitation);
      return good(`The invitation of ${brief(email)} is withdrawn: its links work no longer.`);
    },

    async removeDomain(by: By, { id, name }: FoundOrganization, domainId: string): Promise<Notice> {
      const domain = (await acts.domains.list(office(by), id)).find((one) => one.id === domainId);
      await acts.domains.remove(office(by), id, domainId);
      return good(`${brief(domain?.domain ?? "")} is no longer a domain of ${brief(name)}.`);
    },

    async removeProvider(by: By, { id, name }: FoundOrganization): Promise<Notice> {
      await acts.providers.remove(office(by), id);
      return good(`${brief(name)} has no provider of its own any more: people sign in by their own ways.`);
    },

    async erase(by: By, { id, name }: FoundOrganization): Promise<Notice> {
      await acts.organizations.remove(office(by), id);
      return good(`${brief(name)} is deleted. The accounts of its members stay.`);
    },
  };
}
