import { Elysia } from "elysia";
import { timestamp } from "../../core/clock.ts";
import { answers, operation, grouped } from "../../http/index.ts";
import { cookieWords } from "./session/cookies.ts";
import { signedInUserOf } from "./session/guard.ts";
import { AcceptInvitationBody, invitationRefusals, ShownInvitation, SignedInUser, TokenBody } from "./schemas.ts";
import { presentUser } from "./user.view.ts";
import type { Parts } from "./parts.ts";

const refusals = [...invitationRefusals, "rate_limited"] as const;

export const invitationRoutes = (
  options: Parts<"acceptance" | "sessions" | "pressure" | "cookies" | "deliveries" | "clientOf">,
) => {
  const { acceptance, sessions, pressure, cookies, deliveries, clientOf } = options;
  return new Elysia(grouped("Invitations"))
    .post(
      "/invitation",
      async ({ body, request }) => {
        await pressure.limitAddress("invitation", clientOf(request), { token: body.token });
        const userId = await signedInUserOf(sessions, cookies, request);
        const { invitation, account } = await acceptance.show(body.token, userId);
        return {
          ok: true as const,
          invitation: {
            email: invitation.email,
            display_name: invitation.displayName,
            invited_by: invitation.inviterDisplayName,
            organization: invitation.organizationName,
            expires_at: timestamp(invitation.expiresAt),
            account,
          },
        };
      },
      {
        body: TokenBody,
        response: answers(ShownInvitation, ...refusals),
        detail: operation("showInvitation", {
          summary: "What a mailed invitation is to",
          description: "Changes nothing. Only a token that was mailed is told why it is of no use any more.",
        }),
      },
    )
    .post(
      "/invitation/accept",
      async ({ body, request, set }) => {
        const delivery = deliveries.of(set, request, body);
        const client = clientOf(request);
        await pressure.limitAddress("invitation", client, { token: body.token });
        const userId = await signedInUserOf(sessions, cookies, request);
        const form = { ...body, displayName: body.display_name, acceptedTerms: body.accepted_terms };
        const { user, signedIn } = await acceptance.accept(form, { client, userId }, body.remember ?? false);
        return { ok: true as const, user: presentUser(user), ...(signedIn && delivery.signIn(signedIn)) };
      },
      {
        body: AcceptInvitationBody,
        response: answers(
          SignedInUser,
          "denied_by_hook",
          ...refusals,
          "terms_required",
          "weak_password",
          "cookies_only",
          "cross_site_session",
          "invitation_sign_in_required",
          "member_exists",
          "limit_reached",
          "username_taken",
          "overloaded",
        ),
        detail: operation("acceptInvitation", {
          summary: "Accept a mailed invitation: makes the account and signs in to it",
          description:
            "Where an account has the invited address already, whoever is signed in to it gets the roles, and anybody else is refused. A password that is too weak leaves the token usable.",
          cookies: { 200: cookieWords.signIn },
        }),
      },
    );
};
