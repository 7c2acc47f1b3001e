import { errorResponses, operation } from "../../http/index.ts";
import {
  InvitationId,
  InvitationPage,
  InvitationQuery,
  InviteBody,
  OkInvitation,
  OrganizationId,
  presentInvitation,
} from "../schemas.ts";
import { ok, officeOf, open, path, reads, writes, type ServiceRouteOptions } from "./service.ts";

/** What backends do with invitations to an organization. */
export const anyInvitationRoutes = ({ acts, guard }: ServiceRouteOptions) =>
  open()
    .use(guard)
    .get(
      `${path}/:id/invitations`,
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
      `${path}/:id/invitations`,
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
      `${path}/:id/invitations/:invitation/withdraw`,
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
