import { Elysia, t } from "elysia";
import { email, locale, type Invitation, type Invitations } from "../auth/index.ts";
import { timestamp } from "../core/clock.ts";
import { FieldFault } from "../core/fields.ts";
import { positionPattern } from "../core/text/position.ts";
import { bodyOf, errorResponses, field, nullable, operation, Timestamp, grouped } from "../http/index.ts";
import type { ServiceGuard } from "./guard.ts";
import { roleNames } from "./users.body.ts";

const InvitationSchema = t.Object(
  {
    id: t.String(),
    email: t.String(),
    roles: t.Array(t.String()),
    display_name: nullable(t.String()),
    locale: nullable(t.String()),
    state: t.String({ documented: { enum: ["waiting", "accepted", "withdrawn", "expired", "void"] } }),
    invited_by: t.Object({
      actor: t.String({ documented: { enum: ["operator", "staff", "service"] } }),
      name: nullable(t.String()),
    }),
    invited_at: Timestamp,
    expires_at: Timestamp,
    withdrawn_at: nullable(Timestamp),
    accepted_at: nullable(Timestamp),
    user_id: nullable(t.String({ description: "The account that accepted" })),
  },
  { title: "SentInvitation" },
);
const OkInvitation = t.Object({ ok: t.Literal(true), invitation: InvitationSchema });

export const presentInvitation = (invitation: Invitation): typeof InvitationSchema.static => ({
  id: invitation.id,
  email: invitation.email,
  roles: [...invitation.roles],
  display_name: invitation.displayName,
  locale: invitation.locale,
  state: invitation.state,
  invited_by: invitation.invitedBy,
  invited_at: timestamp(invitation.invitedAt),
  expires_at: timestamp(invitation.expiresAt),
  withdrawn_at: timestamp(invitation.withdrawnAt),
  accepted_at: timestamp(invitation.acceptedAt),
  user_id: invitation.acceptedUserId,
});

const InviteBody = bodyOf(
  {
    email,
    roles: roleNames,
    display_name: field.blankable(field.text({ most: 200 })),
    locale: field.blankable(locale),
    days: field.optional({
      schema: {
        type: "integer",
        minimum: 1,
        maximum: 30,
        description: "How long the link works; 7 where it is left out",
      },
      read: (value: unknown) =>
        typeof value === "number" ? value : new FieldFault("invalid_type", "must be a number"),
    }),
  },
  { isStrict: true, example: { email: "ada@example.com", roles: ["editor"], display_name: "Ada Lovelace", days: 7 } },
);

const ListQuery = t.Object({
  all: t.Optional(t.BooleanString({ description: "Also those that were accepted or withdrawn lately" })),
  cursor: t.Optional(
    t.String({
      maxLength: 64,
      documented: { pattern: positionPattern },
      description: "The `next` of an earlier page",
    }),
  ),
  limit: t.Optional(t.String({ pattern: "^([1-9]\\d?|1\\d\\d|200)$", description: "1 to 200, by default 50" })),
});

export const invitationRoutes = (guard: ServiceGuard, invitations: Invitations) =>
  new Elysia({ prefix: "/api/v1/users", ...grouped("Users") })
    .use(guard)
    .post(
      "/invite",
      async ({ body, caller }) => {
        const form = { ...body, displayName: body.display_name };
        const { invitation } = await invitations.invite(form, caller.by, () => caller.require("users:roles"));
        return { ok: true as const, invitation: presentInvitation(invitation) };
      },
      {
        requireService: "users:write",
        body: InviteBody,
        response: { 200: OkInvitation, ...errorResponses("forbidden", "email_taken", "rate_limited", "unavailable") },
        detail: operation("inviteUser", {
          summary: "Mail somebody a link that makes an account",
          description:
            "An address that is invited already gets another mail; what is left out stays as it was. A mailbox gets three in an hour and ten in a day at most. An invitation that gives `roles`, those that it had included, takes the scope `users:roles`, and nobody is invited as `admin` by a service.",
        }),
      },
    )
    .get(
      "/invitations",
      async ({ query }) => {
        const { all = false, cursor, limit = "50" } = query;
        const page = await invitations.list({ all, cursor, limit: Number(limit) });
        return { ok: true as const, invitations: page.invitations.map(presentInvitation), next: page.next ?? null };
      },
      {
        requireService: { scope: "users:read", query: ListQuery },
        query: ListQuery,
        response: {
          200: t.Object({
            ok: t.Literal(true),
            invitations: t.Array(InvitationSchema),
            next: nullable(t.String({ description: "`cursor` of the next page" })),
          }),
          ...errorResponses("forbidden", "invalid_payload", "rate_limited"),
        },
        detail: operation("listInvitations", { summary: "The invitations that wait, the newest first" }),
      },
    )
    .post(
      "/invitations/:id/withdraw",
      async ({ params, caller }) => ({
        ok: true as const,
        invitation: presentInvitation(await invitations.withdraw(params.id, caller.by)),
      }),
      {
        requireService: "users:write",
        params: t.Object({ id: t.String() }),
        response: {
          200: OkInvitation,
          ...errorResponses(
            "forbidden",
            "invitation_not_found",
            "invitation_accepted",
            "invitation_withdrawn",
            "rate_limited",
          ),
        },
        detail: operation("withdrawInvitation", {
          summary: "Make the links of an invitation worthless",
          description: "An invitation as `admin` is not for services to end.",
        }),
      },
    );
