import { Elysia } from "elysia";
import type { OrganizationAuth, SessionRow } from "../auth/index.ts";
import { answers, grouped, Ok, operation } from "../http/index.ts";
import type { Actor } from "./actor.ts";
import type { Acts } from "./acts.ts";
import {
  CreateBody,
  InvitationId,
  InvitationPage,
  InvitationQuery,
  InviteBody,
  MemberId,
  MemberPage,
  OkActive,
  OkInvitation,
  OkMember,
  OkOwnOrganization,
  OrganizationId,
  OwnOrganizationPage,
  PageQuery,
  PatchBody,
  presentInvitation,
  presentMember,
  presentOwn,
  RolesBody,
  SwitchBody,
} from "./schemas.ts";

interface PeopleRouteOptions {
  readonly acts: Acts;
  readonly auth: Pick<OrganizationAuth, "guard" | "clientOf">;
}

const open = () => new Elysia({ prefix: "/api/v1/auth/organizations", ...grouped("Organizations") });
const ok = { ok: true } as const;

const personOf =
  ({ clientOf }: PeopleRouteOptions["auth"]) =>
  (session: SessionRow, request: Request): Extract<Actor, { kind: "person" }> => ({
    kind: "person",
    session,
    client: clientOf(request),
  });

/** What people do with organizations as a whole. */
const organizationRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .get(
      "",
      async ({ query, session }) => {
        const { page, next } = await acts.ofPerson(session, query);
        return { ...ok, organizations: page.map(presentOwn), next };
      },
      {
        requireAuth: true,
        query: PageQuery,
        response: answers(OwnOrganizationPage, "invalid_payload"),
        detail: operation("listOrganizations", {
          summary: "The organizations that you are in, and what you are there",
        }),
      },
    )
    .post(
      "",
      async ({ body, request, session }) => {
        const id = await acts.organizations.create({ ...body, userId: session.userId }, person(session, request));
        return { ...ok, organization: presentOwn(await acts.own(session, id)) };
      },
      {
        requireAuth: true,
        body: CreateBody,
        response: answers(OkOwnOrganization, "forbidden", "slug_taken", "limit_reached"),
        detail: operation("createOrganization", {
          summary: "Make an organization, of which you are the owner",
          description: "403 `forbidden` where ORGANIZATIONS_CREATION leaves that to staff.",
        }),
      },
    )
    .post(
      "/switch",
      async ({ body, session }) => {
        const found = await acts.switchTo(session, body.id ?? null);
        return { ...ok, organization: found && presentOwn(found) };
      },
      {
        requireAuth: true,
        body: SwitchBody,
        response: answers(OkActive, "organization_not_found"),
        detail: operation("switchOrganization", {
          summary: "Have this session act for one of your organizations, or with `null` for none",
          description: "`verify` says so at once, and tokens from the next one on.",
        }),
      },
    )
    .get(
      "/:id",
      async ({ params: { id }, session }) => ({ ...ok, organization: presentOwn(await acts.own(session, id)) }),
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(OkOwnOrganization, "organization_not_found"),
        detail: operation("getOrganization", { summary: "An organization that you are in" }),
      },
    )
    .patch(
      "/:id",
      async ({ params: { id }, body, request, session }) => {
        await acts.organizations.update(person(session, request), id, body);
        return { ...ok, organization: presentOwn(await acts.own(session, id)) };
      },
      {
        requireAuth: true,
        params: OrganizationId,
        body: PatchBody,
        response: answers(OkOwnOrganization, "forbidden", "organization_not_found", "slug_taken"),
        detail: operation("updateOrganization", {
          summary: "Change name or metadata, as an owner or admin; the slug, as an owner",
        }),
      },
    )
    .delete(
      "/:id",
      async ({ params: { id }, request, session }) => {
        await acts.organizations.remove(person(session, request), id);
        return ok;
      },
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(Ok, "forbidden", "organization_not_found"),
        detail: operation("deleteOrganization", { summary: "Delete an organization for good, as an owner" }),
      },
    );
};

/** What people do with members of their organizations. */
const memberRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .post(
      "/:id/leave",
      async ({ params: { id }, request, session }) => {
        await acts.members.leave(person(session, request), id);
        return ok;
      },
      {
        requireAuth: true,
        params: OrganizationId,
        response: answers(Ok, "organization_not_found", "last_owner"),
        detail: operation("leaveOrganization", { summary: "Leave an organization" }),
      },
    )
    .get(
      "/:id/members",
      async ({ params: { id }, query, request, session }) => {
        const { page, next } = await acts.memberPage(person(session, request), id, query);
        return { ...ok, members: page.map(presentMember), next };
      },
      {
        requireAuth: true,
        params: OrganizationId,
        query: PageQuery,
        response: answers(MemberPage, "invalid_payload", "organization_not_found"),
        detail: operation("listMembers", { summary: "Who is in an organization of yours, the oldest accounts first" }),
      },
    )
    .post(
      "/:id/members/:user/roles",
      async ({ params: { id, user }, body, request, session }) => {
        const changed = await acts.members.setRoles(person(session, request), id, user, body.roles);
        return { ...ok, member: presentMember(changed) };
      },
      {
        requireAuth: true,
        params: MemberId,
        body: RolesBody,
        response: answers(OkMember, "forbidden", "organization_not_found", "member_not_found", "last_owner"),
        detail: operation("setMemberRoles", {
          summary: "Give a member these roles in place of those that they have",
          description: "Owners and admins do this. Owners alone make owners, and change what owners are.",
        }),
      },
    )
    .post(
      "/:id/members/:user/remove",
      async ({ params: { id, user }, request, session }) => {
        await acts.members.remove(person(session, request), id, user);
        return ok;
      },
      {
        requireAuth: true,
        params: MemberId,
        response: answers(Ok, "forbidden", "organization_not_found", "member_not_found", "last_owner"),
        detail: operation("removeMember", { summary: "Take somebody out of an organization, as an owner or admin" }),
      },
    );
};

/** What people do with invitations to their organizations. */
const invitationRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .get(
      "/:id/invitations",
      async ({ params: { id }, query, request, session }) => {
        const { page, next } = await acts.invitationPage(person(session, request), id, query);
        return { ...ok, invitations: page.map(presentInvitation), next };
      },
      {
        requireAuth: true,
        params: OrganizationId,
        query: InvitationQuery,
        response: answers(InvitationPage, "invalid_payload", "forbidden", "organization_not_found"),
        detail: operation("listOrganizationInvitations", {
          summary: "The invitations of an organization that wait, the newest first, for owners and admins",
        }),
      },
    )
    .post(
      "/:id/invitations",
      async ({ params: { id }, body, request, session }) => ({
        ...ok,
        invitation: presentInvitation(await acts.invite(person(session, request), id, body)),
      }),
      {
        requireAuth: true,
        params: OrganizationId,
        body: InviteBody,
        response: answers(
          OkInvitation,
          "forbidden",
          "organization_not_found",
          "member_exists",
          "limit_reached",
          "rate_limited",
        ),
        detail: operation("inviteMember", {
          summary: "Mail somebody a link by which they join an organization, with an account or without one",
          description:
            "Owners and admins do this; owners alone invite owners. Without `roles` the person becomes a `member`. An address that is invited already gets another mail, with the roles that this one says. An invitation ends after seven days, and once its sender may not send it any more.",
        }),
      },
    )
    .post(
      "/:id/invitations/:invitation/withdraw",
      async ({ params: { id, invitation }, request, session }) => ({
        ...ok,
        invitation: presentInvitation(await acts.withdraw(person(session, request), id, invitation)),
      }),
      {
        requireAuth: true,
        params: InvitationId,
        response: answers(
          OkInvitation,
          "forbidden",
          "organization_not_found",
          "invitation_not_found",
          "invitation_accepted",
          "invitation_withdrawn",
        ),
        detail: operation("withdrawOrganizationInvitation", { summary: "Make the links of an invitation worthless" }),
      },
    );
};

export const peopleRoutes = (options: PeopleRouteOptions) =>
  new Elysia().use(organizationRoutes(options)).use(memberRoutes(options)).use(invitationRoutes(options));
