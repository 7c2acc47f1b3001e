import type { Accounts } from "../../auth/index.ts";
import { AppError, invalidFields } from "../../core/errors.ts";
import { missingField } from "../../core/fields.ts";
import { readRoles, type FoundOrganization, type OrganizationDesk } from "../../organization/index.ts";
import type { Notice } from "../../kit/index.ts";
import type { StaffContext } from "../frame/context.ts";
import type { NewFields } from "./new.page.tsx";
import { pathOf } from "./paths.ts";

interface ActOptions {
  readonly organizations: Pick<OrganizationDesk, "acts">;
  readonly accounts: Pick<Accounts, "idOf">;
}

const good = (text: string, undo?: Notice["undo"]): Notice => ({ kind: "good", text, ...(undo && { undo }) });
const unchanged = (text: string): Notice => ({ kind: "warning", text });
const office = ({ by }: StaffContext) => ({ kind: "office", by }) as const;
const wordsOf = ({ words }: StaffContext) => words.organizations.done;
/** A notice has room for so much of a name. */
const brief = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const longestName = 100;

/**
 * Says of a refusal at which field of a form it belongs, and what is wrong; undefined for what no form is to blame for. `person` is the field
 * that names somebody.
 */
export function refusalIn(error: unknown, { words }: StaffContext, person = "login") {
  if (!(error instanceof AppError)) return undefined;
  const { faults, refusals }: Readonly<Record<"faults" | "refusals", Readonly<Record<string, string>>>> =
    words.organizations;
  if (error.reason === "invalid_payload") {
    const errors = Object.keys(error.fields ?? {}).flatMap((field) => {
      const fault = faults[field];
      return fault === undefined ? [] : [[field, fault] as const];
    });
    return errors.length === 0 ? undefined : { errors: Object.fromEntries(errors), refusal: error };
  }
  const refusal = refusals[error.reason];
  if (refusal === undefined) return undefined;
  return { errors: { [error.reason === "slug_taken" ? "slug" : person]: refusal }, refusal: error };
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

  async function join(
    context: StaffContext,
    { id, name }: FoundOrganization,
    userId: string,
    roles: readonly string[],
  ): Promise<Notice> {
    await giving(() => acts.members.add(office(context), id, userId, roles));
    const { displayName } = await acts.members.find(id, userId);
    const { added, takeOut } = wordsOf(context);
    return good(added({ name: brief(displayName), organization: brief(name), roles: brief(roles.join(", ")) }), {
      action: `${pathOf(id)}/remove-member`,
      label: takeOut,
      fields: { user: userId },
    });
  }

  async function change(
    context: StaffContext,
    { id }: FoundOrganization,
    userId: string,
    roles: readonly string[],
  ): Promise<Notice> {
    const before = await acts.members.find(id, userId);
    const after = await acts.members.setRoles(office(context), id, userId, roles);
    const words = wordsOf(context);
    const name = brief(before.displayName);
    if (after.roles === before.roles) return unchanged(words.sameRoles({ name }));
    return good(words.changed({ name, roles: brief(readRoles(after.roles).join(", ")) }), {
      action: `${pathOf(id)}/roles`,
      label: words.giveBack,
      fields: { user: userId, roles: before.roles.slice(0, 200) },
    });
  }

  return {
    async create(context: StaffContext, { name, slug, owner }: NewFields) {
      if (name === "" || name.length > longestName) throw invalidFields({ name: missingField });
      const userId = await accounts.idOf(owner);
      const asked = { name, userId, ...(slug !== "" && { slug }) };
      const id = await giving(() => acts.organizations.create(asked, office(context)));
      return { id, notice: good(wordsOf(context).made({ name: brief(name) })) };
    },

    add: async (context: StaffContext, organization: FoundOrganization, login: string, roles: readonly string[]) =>
      join(context, organization, await accounts.idOf(login), roles),

    /** Makes a member an owner besides what they are, and lets anybody else join as one. */
    async makeOwner(context: StaffContext, organization: FoundOrganization, login: string): Promise<Notice> {
      const userId = await accounts.idOf(login);
      try {
        const { roles, userActive } = await acts.members.find(organization.id, userId);
        if (userActive === 0) throw new AppError("account_inactive");
        return await change(context, organization, userId, [...readRoles(roles), "owner"]);
      } catch (error) {
        if (!(error instanceof AppError) || error.reason !== "member_not_found") throw error;
        return join(context, organization, userId, ["owner"]);
      }
    },

    setRoles: change,

    async remove(context: StaffContext, { id, name }: FoundOrganization, userId: string): Promise<Notice> {
      const { displayName, roles } = await acts.members.find(id, userId);
      await acts.members.remove(office(context), id, userId);
      const { removed, addAgain } = wordsOf(context);
      return good(removed({ name: brief(displayName), organization: brief(name) }), {
        action: `${pathOf(id)}/add-member`,
        label: addAgain,
        fields: { login: userId, roles: roles.slice(0, 200) },
      });
    },

    async withdraw(context: StaffContext, { id }: FoundOrganization, invitation: string): Promise<Notice> {
      const { email } = await acts.withdraw(office(context), id, invitation);
      return good(wordsOf(context).withdrawn({ email: brief(email) }));
    },

    async removeDomain(context: StaffContext, { id, name }: FoundOrganization, domainId: string): Promise<Notice> {
      const domain = (await acts.domains.list(office(context), id)).find((one) => one.id === domainId);
      await acts.domains.remove(office(context), id, domainId);
      return good(wordsOf(context).domainRemoved({ domain: brief(domain?.domain ?? ""), organization: brief(name) }));
    },

    async removeProvider(context: StaffContext, { id, name }: FoundOrganization): Promise<Notice> {
      await acts.providers.remove(office(context), id);
      return good(wordsOf(context).providerRemoved({ organization: brief(name) }));
    },

    async erase(context: StaffContext, { id, name }: FoundOrganization): Promise<Notice> {
      await acts.organizations.remove(office(context), id);
      return good(wordsOf(context).deleted({ name: brief(name) }));
    },
  };
}
