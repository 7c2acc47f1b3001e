import { t } from "elysia";
import { nullable, Timestamp } from "../../../http/index.ts";
import { mailStates } from "../../mail/fates.ts";
import { ClientName, holder, Impersonator } from "../session/session.schemas.ts";
import { ExportedUserSchema } from "../user.view.ts";

export const Exported = t.Object({
  ok: t.Literal(true),
  exported_at: Timestamp,
  user: ExportedUserSchema,
  sessions: t.Array(
    t.Object({
      id: t.String(),
      app: t.String(),
      user_agent: t.String(),
      ip_address: t.String(),
      remembered: t.Boolean(),
      came_by: nullable(t.String({ description: "What its user was let in by" })),
      factor: nullable(t.String({ description: "The second factor that it was proven by" })),
      created_at: Timestamp,
      proved_at: Timestamp,
      last_seen_at: Timestamp,
      expires_at: Timestamp,
      revoked_at: nullable(Timestamp),
      revoked_reason: nullable(t.String()),
      client: holder,
      impersonator: Impersonator,
      delegation: nullable(t.Record(t.String(), t.Unknown(), { description: "What the program was granted" })),
      organization_id: nullable(t.String({ description: "The organization that it acts for" })),
    }),
  ),
  consents: t.Array(
    t.Object({ client: ClientName, scope: t.String(), resources: t.Array(t.String()), granted_at: Timestamp }),
    { description: "What the person has let programs of others have, and which resource servers these may call" },
  ),
  organizations: t.Array(
    t.Object({ id: t.String(), slug: t.String(), name: t.String(), roles: t.Array(t.String()), joined_at: Timestamp }),
    { description: "The organizations that the person is in" },
  ),
  identities: t.Array(
    t.Object({
      provider: t.String(),
      issuer: t.String(),
      subject: t.String(),
      email: nullable(t.String()),
      username: nullable(t.String()),
      linked_at: Timestamp,
      last_login_at: nullable(Timestamp),
    }),
  ),
  factors: t.Array(
    t.Object({
      method: t.String(),
      name: nullable(t.String()),
      added_at: Timestamp,
      last_used_at: nullable(Timestamp),
    }),
  ),
  recovery_codes_left: t.Number(),
  personal_tokens: t.Array(
    t.Object({
      id: t.String(),
      name: t.String(),
      created_at: Timestamp,
      expires_at: Timestamp,
      last_used_at: nullable(Timestamp),
      revoked_at: nullable(Timestamp),
    }),
  ),
  mailed_links: t.Array(
    t.Object({
      purpose: t.String(),
      email: t.String(),
      created_at: Timestamp,
      expires_at: Timestamp,
      redeemed_at: nullable(Timestamp),
      voided_at: nullable(Timestamp),
    }),
  ),
  invitations: t.Array(
    t.Object({
      email: t.String(),
      roles: t.Array(t.String()),
      display_name: nullable(t.String()),
      locale: nullable(t.String()),
      organization_id: nullable(t.String({ description: "The organization that it is an invitation to" })),
      organization_roles: t.Array(t.String()),
      created_at: Timestamp,
      invited_at: Timestamp,
      expires_at: Timestamp,
      withdrawn_at: nullable(Timestamp),
      accepted_at: nullable(Timestamp),
    }),
  ),
  mails: t.Array(
    t.Object({
      kind: t.String(),
      app: t.String(),
      state: t.UnionEnum(mailStates),
      reason: nullable(t.String({ description: "Why it was withheld" })),
      answer: nullable(t.String({ description: "What the mail relay said last" })),
      attempts: t.Number(),
      count: t.Number(),
      requested_at: Timestamp,
      changed_at: Timestamp,
    }),
    { description: "What became of the mails to the account in the last 30 days, newest first" },
  ),
  jobs: t.Array(t.Object({ name: t.String(), state: t.String(), attempts: t.Number(), created_at: Timestamp }), {
    description: "Mails that wait to be sent, or could not be",
  }),
  events: t.Array(
    t.Object({
      id: t.String(),
      at: Timestamp,
      app: t.String(),
      action: t.String(),
      outcome: t.String(),
      reason: nullable(t.String()),
      actor: t.String(),
      organization_id: nullable(t.String()),
      session_id: nullable(t.String()),
      ip_address: nullable(t.String()),
      user_agent: nullable(t.String()),
      count: t.Number(),
      ends_at: nullable(Timestamp),
    }),
    { description: "What the audit log has of the account, newest first, 2,000 at most" },
  ),
  next: nullable(t.String({ description: "`events_before` of the request for older events" })),
});
