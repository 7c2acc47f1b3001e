import { errorResponses, Ok, operation } from "../../http/index.ts";
import {
  AddBody,
  MemberId,
  MemberPage,
  OkMember,
  OrganizationId,
  PageQuery,
  presentMember,
  RolesBody,
} from "../schemas.ts";
import { ok, officeOf, open, path, reads, writes, type ServiceRouteOptions } from "./service.ts";

/** What backends do with the members of an organization. */
export const allMemberRoutes = ({ acts, guard }: ServiceRouteOptions) =>
  open()
    .use(guard)
    .get(
      `${path}/:id/members`,
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
      `${path}/:id/members`,
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
    );

/** What backends do with one member. */
export const anyMemberRoutes = ({ acts, guard }: ServiceRouteOptions) =>
  open()
    .use(guard)
    .post(
      `${path}/:id/members/:user/roles`,
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
      `${path}/:id/members/:user/remove`,
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
