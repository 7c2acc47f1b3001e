import { Elysia } from "elysia";
import type { Audit } from "../../audit/index.ts";
import type { AccountName, Accounts } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { readPosition } from "../../core/text/position.ts";
import type { FoundOrganization, OrganizationDesk } from "../../organization/index.ts";
import type { StaffContext } from "../frame/context.ts";
import type { StaffPages } from "../pages.ts";
import { createOrganizationActs, refusalIn } from "./acts.ts";
import { DeletePage } from "./delete.page.tsx";
import { ListPage } from "./list.page.tsx";
import { emptyFields, fieldsOf, NewPage, type NewFields } from "./new.page.tsx";
import { OrganizationPage } from "./organization.page.tsx";
import { RemoveDomainPage, RemoveProviderPage } from "./remove.pages.tsx";
import type { TypedForm } from "./parts.tsx";
import { newPath, organizationsPath, pathOf, readSearch, typedRoles } from "./paths.ts";

export interface OrganizationRouteOptions {
  readonly staff: StaffPages;
  readonly organizations: OrganizationDesk;
  readonly accounts: Pick<Accounts, "idOf">;
  readonly audit: Pick<Audit, "page">;
  readonly namesOf: (ids: Iterable<string>) => Promise<ReadonlyMap<string, AccountName>>;
}

const organizationsAPage = 50;
const eventsAPage = 30;
const mostInvitations = "200";
const dangerous = (id: string) => ({ may: "organizations.change", back: pathOf(id), isDangerous: true }) as const;

/** Reads what the pages show. */
function createReads({ organizations, audit, namesOf }: OrganizationRouteOptions) {
  /** Throws `not_found` unless an organization has the id. */
  async function found(id: string): Promise<FoundOrganization> {
    try {
      return await organizations.find(id);
    } catch (error) {
      throw error instanceof AppError && error.reason === "organization_not_found" ? new AppError("not_found") : error;
    }
  }

  async function eventsOf(organizationId: string, cursor: string | null) {
    const before = readPosition(cursor ?? "");
    const page = await audit.page({ organizationId }, before, eventsAPage);
    const ids = page.rows.flatMap(({ subjectUserId, actorUserId }) => [subjectUserId ?? [], actorUserId ?? []].flat());
    return { page, names: await namesOf(ids), isFirst: before === undefined };
  }

  async function page(context: StaffContext, id: string, typed?: TypedForm) {
    const organization = await found(id);
    const actor = { kind: "office", by: context.by } as const;
    const cursor = context.search.get("members") ?? undefined;
    const [owners, members, invitations, domains, { provider }, events] = await Promise.all([
      organizations.owners(organization.id),
      organizations.acts.memberPage(actor, organization.id, { cursor }),
      organizations.acts.invitationPage(actor, organization.id, { limit: mostInvitations }),
      organizations.acts.domains.list(actor, organization.id),
      organizations.acts.providers.find(actor, organization.id),
      eventsOf(organization.id, context.search.get("before")),
    ]);
    return OrganizationPage({
      context,
      organization,
      owners,
      members: { ...members, isFirst: cursor === undefined },
      invitations: invitations.page,
      domains,
      provider,
      events,
      typed,
    });
  }

  return {
    found,
    page,

    async domainPage(context: StaffContext, id: string) {
      const organization = await found(id);
      const domains = await organizations.acts.domains.list({ kind: "office", by: context.by }, organization.id);
      const domain = domains.find((one) => one.id === context.search.get("domain"));
      return domain === undefined
        ? { to: pathOf(organization.id) }
        : RemoveDomainPage({ context, organization, domain });
    },

    async providerPage(context: StaffContext, id: string) {
      const organization = await found(id);
      const { provider } = await organizations.acts.providers.find({ kind: "office", by: context.by }, organization.id);
      return provider === undefined
        ? { to: pathOf(organization.id) }
        : RemoveProviderPage({ context, organization, provider });
    },

    async list(context: StaffContext) {
      const search = readSearch(context.search);
      const { organizations: some, next } = await organizations.list({ ...search, limit: organizationsAPage });
      return ListPage({ context, search, organizations: some, next });
    },

    async one(context: StaffContext, named: string) {
      const organization = await found(named);
      return organization.id === named ? page(context, named) : { to: pathOf(organization.id) };
    },
  };
}

/** Serves the pages on which staff look after organizations. */
export function organizationRoutes(options: OrganizationRouteOptions) {
  const { staff } = options;
  const { found, page, list, one, domainPage, providerPage } = createReads(options);
  const acts = createOrganizationActs(options);

  /** Does the act of a form on the page. What is wrong with the form is said there. */
  const typing = (act: TypedForm["act"]) => async (context: StaffContext, form: URLSearchParams, id: string) => {
    const organization = await found(id);
    const [login, roles] = [form.get("login")?.trim() ?? "", form.get("roles")?.trim() ?? ""];
    try {
      const notice =
        act === "owner"
          ? await acts.makeOwner(context, organization, login)
          : await acts.add(context, organization, login, typedRoles(roles));
      return { to: pathOf(id), notice };
    } catch (error) {
      const refused = refusalIn(error, context);
      if (refused === undefined) throw error;
      return { page: await page(context, id, { act, login, roles, ...refused }), refusal: refused.refusal };
    }
  };

  async function create(context: StaffContext, fields: NewFields) {
    try {
      const { id, notice } = await acts.create(context, fields);
      return { to: pathOf(id), notice };
    } catch (error) {
      const refused = refusalIn(error, context, "owner");
      if (refused === undefined) throw error;
      return { page: NewPage({ context, fields, errors: refused.errors }), refusal: refused.refusal };
    }
  }

  return new Elysia({ name: "staff/organizations" })
    .use(staff.page(organizationsPath, "organizations.see", list))
    .use(staff.page(newPath, "organizations.change", (context) => NewPage({ context, fields: emptyFields })))
    .use(
      staff.act(newPath, { may: "organizations.change", back: newPath, isDangerous: true }, (context, form) =>
        create(context, fieldsOf(form)),
      ),
    )
    .use(staff.page(`${organizationsPath}/:id`, "organizations.see", one))
    .use(staff.act(`${organizationsPath}/:id/add-member`, dangerous, typing("add-member")))
    .use(staff.act(`${organizationsPath}/:id/owner`, dangerous, typing("owner")))
    .use(
      staff.act(`${organizationsPath}/:id/roles`, dangerous, async (context, form, id) => ({
        to: pathOf(id),
        notice: await acts.setRoles(context, await found(id), form.get("user") ?? "", typedRoles(form.get("roles"))),
      })),
    )
    .use(
      staff.act(`${organizationsPath}/:id/remove-member`, dangerous, async (context, form, id) => ({
        to: pathOf(id),
        notice: await acts.remove(context, await found(id), form.get("user") ?? ""),
      })),
    )
    .use(
      staff.act(
        `${organizationsPath}/:id/withdraw`,
        (id) => ({ may: "organizations.change", back: pathOf(id) }),
        async (context, form, id) => ({
          to: pathOf(id),
          notice: await acts.withdraw(context, await found(id), form.get("invitation") ?? ""),
        }),
      ),
    )
    .use(staff.page(`${organizationsPath}/:id/remove-domain`, "organizations.change", domainPage))
    .use(
      staff.act(`${organizationsPath}/:id/remove-domain`, dangerous, async (context, form, id) => ({
        to: pathOf(id),
        notice: await acts.removeDomain(context, await found(id), form.get("domain") ?? ""),
      })),
    )
    .use(staff.page(`${organizationsPath}/:id/remove-provider`, "organizations.change", providerPage))
    .use(
      staff.act(`${organizationsPath}/:id/remove-provider`, dangerous, async (context, _form, id) => ({
        to: pathOf(id),
        notice: await acts.removeProvider(context, await found(id)),
      })),
    )
    .use(
      staff.page(`${organizationsPath}/:id/delete`, "organizations.change", async (context, id) =>
        DeletePage({ context, organization: await found(id) }),
      ),
    )
    .use(
      staff.act(`${organizationsPath}/:id/delete`, dangerous, async (context, form, id) => {
        const doomed = await found(id);
        if (form.get("slug")?.trim() === doomed.slug)
          return { to: organizationsPath, notice: await acts.erase(context, doomed) };
        const error = context.words.organizations.deleting.otherSlug({ slug: doomed.slug });
        return {
          page: DeletePage({ context, organization: doomed, error }),
          refusal: new AppError("invalid_payload"),
        };
      }),
    );
}
