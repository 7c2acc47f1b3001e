import { answers, operation } from "../../http/index.ts";
import {
  InvitationId,
  InvitationPage,
  InvitationQuery,
  InviteBody,
  OkInvitation,
  OrganizationId,
  presentInvitation,
} from "../schemas.ts";
import { ok, open, personOf, type PeopleRouteOptions } from "./person.ts";

/** What people do with invitations to their organizations. */
export const invitationRoutes = ({ acts, auth }: PeopleRouteOptions) => {
  const person = personOf(auth);
  return open()
    .use(auth.guard)
    .get(
      "/organizations/:id/invitations",
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
      "/organizations/:id/invitations",
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
      "/organizations/:id/invitations/:invitation/withdraw",
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
