import { t } from "elysia";
import { timestamp } from "../../core/clock.ts";
import { nullable, Timestamp } from "../../http/index.ts";
import { readRoles } from "../user/roles.ts";
import type { ShownUser } from "../user/user.repository.ts";

/** Only documentation for readers: answers are not checked, since an account may have an id or address that no new one would get. */
export const Id = t.String({ documented: { format: "uuid" } });
const Email = t.String({ documented: { format: "email" } });

export const UserSchema = t.Object(
  {
    id: Id,
    username: t.String(),
    email: Email,
    pending_email: nullable(
      t.String({
        documented: { format: "email" },
        description: "A new address that its mailbox has not confirmed yet",
      }),
    ),
    display_name: t.String(),
    avatar_url: nullable(t.String({ documented: { format: "uri" } })),
    active: t.Boolean(),
    email_verified_at: nullable(Timestamp),
    last_login_at: nullable(Timestamp),
    last_seen_at: nullable(Timestamp),
    timezone: nullable(t.String({ description: "An IANA time zone" })),
    locale: nullable(t.String({ description: "A BCP 47 language tag" })),
    created_at: Timestamp,
    has_password: t.Boolean(),
    roles: t.Array(t.String(), { description: "Names of roles, sorted; only operators give and take them" }),
  },
  { title: "User", description: "An account, as its own user sees it" },
);

export const presentUser = (user: ShownUser): typeof UserSchema.static => ({
  id: user.id,
  username: user.username,
  email: user.email,
  pending_email: user.pendingEmail,
  display_name: user.displayName,
  avatar_url: user.avatarUrl,
  active: user.active === 1,
  email_verified_at: timestamp(user.emailVerifiedAt),
  last_login_at: timestamp(user.lastLoginAt),
  last_seen_at: timestamp(user.lastSeenAt),
  timezone: user.timezone,
  locale: user.locale,
  created_at: timestamp(user.createdAt),
  has_password: user.passwordHash !== null,
  roles: readRoles(user.roles),
});
