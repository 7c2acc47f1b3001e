import { answers, Ok, operation } from "../../http/index.ts";
import { MemberId, MemberPage, OkMember, OrganizationId, PageQuery, presentMember, RolesBody } from "../schemas.ts";
import { ok, open, personOf, type PeopleRouteOptions } from "./person.ts";

/** What people do with members of their organizations. */
export const memberRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .post(
      "/organizations/:id/leave",
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
      "/organizations/:id/members",
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
      "/organizations/:id/members/:user/roles",
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
      "/organizations/:id/members/:user/remove",
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
