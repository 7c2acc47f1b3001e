import { Elysia } from "elysia";
import type { ServiceCaller, ServiceGuard } from "../backend/index.ts";
import { errorResponses, grouped, Ok, operation } from "../http/index.ts";
import type { Actor } from "./actor.ts";
import type { Acts } from "./acts.ts";
import {
  AddBody,
  CreateForBody,
  InvitationId,
  InvitationPage,
  InvitationQuery,
  InviteBody,
  MemberId,
  MemberPage,
  OkInvitation,
  OkMember,
  OkOrganization,
  OrganizationId,
  OrganizationPage,
  PageQuery,
  presentInvitation,
  presentMember,
  presentOrganization,
  RolesBody,
  StrictPatchBody,
} from "./schemas.ts";

interface ServiceRouteOptions {
  readonly acts: Acts;
  readonly guard: ServiceGuard;
}

const open = () => new Elysia({ prefix: "/api/v1/organizations", ...grouped("Organizations") });
const ok = { ok: true } as const;
const officeOf = ({ by }: ServiceCaller): Actor => ({ kind: "office", by });
const [reads, writes] = ["organizations:read", "organizations:write"] as const;

const organizationRoutes = ({ acts, guard }: ServiceRouteOptions) => {
  const shown = async (id: string) => ({ ...ok, organization: presentOrganization(await acts.one(id)) });
  return open()
    .use(guard)
    .get(
      "",
      async ({ query }) => {
        const { page, next } = await acts.all(query);
        return { ...ok, organizations: page.map(presentOrganization), next };
      },
      {
        requireService: { scope: reads, query: PageQuery },
        query: PageQuery,
        response: { 200: OrganizationPage, ...errorResponses("invalid_payload", "forbidden", "rate_limited") },
        detail: operation("listAllOrganizations", { summary: "All organizations, the oldest first" }),
      },
    )
    .post(
      "",
      async ({ body, caller }) => {
        const { owner: userId, ...asked } = body;
        return shown(await acts.organizations.create({ ...asked, userId }, officeOf(caller)));
      },
      {
        requireService: writes,
        body: CreateForBody,
        response: {
          200: OkOrganization,
          ...errorResponses("forbidden", "not_found", "slug_taken", "limit_reached", "rate_limited"),
        },
        detail: operation("createOrganizationFor", {
          summary: "Make an organization for an account, which is its owner",
          description: "404 `not_found` where no active account has the id.",
        }),
      },
    )
    .get("/:id", ({ params: { id } }) => shown(id), {
      requireService: reads,
      params: OrganizationId,
      response: { 200: OkOrganization, ...errorResponses("forbidden", "organization_not_found", "rate_limited") },
      detail: operation("showOrganization", { summary: "An organization" }),
    })
    .patch(
      "/:id",
      async ({ params: { id }, body, caller }) => {
        await acts.organizations.update(officeOf(caller), id, body);
        return shown(id);
      },
      {
        requireService: writes,
        params: OrganizationId,
        body: StrictPatchBody,
        response: {
          200: OkOrganization,
          ...errorResponses("forbidden", "organization_not_found", "slug_taken", "rate_limited"),
        },
        detail: operation("changeOrganization", { summary: "Change name, slug or metadata" }),
      },
    )
    .delete(
      "/:id",
      async ({ params: { id }, caller }) => {
        await acts.organizations.remove(officeOf(caller), id);
        return ok;
      },
      {
        requireService: writes,
        params: OrganizationId,
        response: { 200: Ok, ...errorResponses("forbidden", "organization_not_found", "rate_limited") },
        detail: operation("removeOrganization", { summary: "Delete an organization for good" }),
      },
    );
};

const memberRoutes = ({ acts, guard }: ServiceRouteOptions) =>
  open()
    .use(guard)
    .get(
      "/:id/members",
      async ({ params: { id }, query, caller }) => {
        const { page, next } = await acts.memberPage(officeOf(caller), id, query);
        return { ...ok, members: page.map(presentMember), next };
      },
      {
        requireService: { scope: reads, query: PageQuery },
        params: OrganizationId,
        query: PageQuery,
        response: {
          200: MemberPage,
          ...errorResponses("invalid_payload", "forbidden", "organization_not_found", "rate_limited"),
        },
        detail: operation("listOrganizationMembers", {
          summary: "Who is in an organization, the oldest accounts first",
        }),
      },
    )
    .post(
      "/:id/members",
      async ({ params: { id }, body, caller }) => {
        await acts.members.add(officeOf(caller), id, body.user, body.roles ?? ["member"]);
        return { ...ok, member: presentMember(await acts.members.find(id, body.user)) };
      },
      {
        requireService: writes,
        params: OrganizationId,
        body: AddBody,
        response: {
          200: OkMember,
          ...errorResponses(
            "forbidden",
            "not_found",
            "organization_not_found",
            "member_exists",
            "limit_reached",
            "rate_limited",
          ),
        },
        detail: operation("addMember", { summary: "Put an account into an organization, without an invitation" }),
      },
    )
    .post(
      "/:id/members/:user/roles",
      async ({ params: { id, user }, body, caller }) => ({
        ...ok,
        member: presentMember(await acts.members.setRoles(officeOf(caller), id, user, body.roles)),
      }),
      {
        requireService: writes,
        params: MemberId,
        body: RolesBody,
        response: {
          200: OkMember,
          ...errorResponses("forbidden", "organization_not_found", "member_not_found", "last_owner", "rate_limited"),
        },
        detail: operation("setOrganizationRoles", {
          summary: "Give a member these roles in place of those that they have",
        }),
      },
    )
    .post(
      "/:id/members/:user/remove",
      async ({ params: { id, user }, caller }) => {
        await acts.members.remove(officeOf(caller), id, user);
        return ok;
      },
      {
        requireService: writes,
        params: MemberId,
        response: {
          200: Ok,
          ...errorResponses("forbidden", "organization_not_found", "member_not_found", "last_owner", "rate_limited"),
        },
        detail: operation("removeOrganizationMember", { summary: "Take somebody out of an organization" }),
      },
    );

const invitationRoutes = ({ acts, guard }: ServiceRouteOptions) =>
  open()
    .use(guard)
    .get(
      "/:id/invitations",
      async ({ params: { id }, query, caller }) => {
        const { page, next } = await acts.invitationPage(officeOf(caller), id, query);
        return { ...ok, invitations: page.map(presentInvitation), next };
      },
      {
        requireService: { scope: reads, query: InvitationQuery },
        params: OrganizationId,
        query: InvitationQuery,
        response: {
          200: InvitationPage,
          ...errorResponses("invalid_payload", "forbidden", "organization_not_found", "rate_limited"),
        },
        detail: operation("listInvitationsTo", { summary: "The invitations to an organization that wait" }),
      },
    )
    .post(
      "/:id/invitations",
      async ({ params: { id }, body, caller }) => ({
        ...ok,
        invitation: presentInvitation(await acts.invite(officeOf(caller), id, body)),
      }),
      {
        requireService: writes,
        params: OrganizationId,
        body: InviteBody,
        response: {
          200: OkInvitation,
          ...errorResponses("forbidden", "organization_not_found", "member_exists", "limit_reached", "rate_limited"),
        },
        detail: operation("inviteTo", {
          summary: "Mail somebody a link by which they join an organization, with an account or without one",
        }),
      },
    )
    .post(
      "/:id/invitations/:invitation/withdraw",
      async ({ params: { id, invitation }, caller }) => ({
        ...ok,
        invitation: presentInvitation(await acts.withdraw(officeOf(caller), id, invitation)),
      }),
      {
        requireService: writes,
        params: InvitationId,
        response: {
          200: OkInvitation,
          ...errorResponses(
            "forbidden",
            "organization_not_found",
            "invitation_not_found",
            "invitation_accepted",
            "invitation_withdrawn",
            "rate_limited",
          ),
        },
        detail: operation("withdrawInvitationTo", { summary: "Make the links of an invitation worthless" }),
      },
    );

/** What backends do with organizations, by their secret. */
export const serviceRoutes = (options: ServiceRouteOptions) =>
  new Elysia().use(organizationRoutes(options)).use(memberRoutes(options)).use(invitationRoutes(options));
