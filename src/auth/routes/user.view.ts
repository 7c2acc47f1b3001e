import { t } from "elysia";
import { timestamp } from "../../core/clock.ts";
import { nullable, Timestamp } from "../../http/index.ts";
import { readRoles } from "../user/roles.ts";
import { readStored } from "../metadata/merge.patch.ts";
import type { Metadata, OpenMetadata } from "../metadata/metadata.repository.ts";
import type { ShownUser, UserRow } from "../user/user.repository.ts";

/** Only documentation for readers: answers are not checked, since an account may have an id or address that no new one would get. */
export const Id = t.String({ documented: { format: "uuid" } });
const Email = t.String({ documented: { format: "idn-email" } });

/** Any object of JSON. */
export const JsonObject = (description: string) => t.Record(t.String(), t.Unknown(), { description });
/** What an app keeps on the account and its own person may see. */
export const openMetadata = {
  app_metadata: JsonObject("What services keep on the account; its person reads it"),
  user_metadata: JsonObject("What its person keeps on the account"),
};
export const privateMetadata = {
  private_metadata: JsonObject("What services keep to themselves: nobody else is shown it"),
};

const shown = {
  id: Id,
  username: t.String(),
  email: Email,
  pending_email: nullable(
    t.String({
      documented: { format: "idn-email" },
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
  roles: t.Array(t.String(), { description: "Names of roles, sorted; only operators and services give and take them" }),
};

export const UserSchema = t.Object(shown, { title: "User", description: "An account, as its own user sees it" });
export const OwnUserSchema = t.Object(
  { ...shown, ...openMetadata },
  { title: "OwnUser", description: "An account with what apps keep on it, as its own user sees it" },
);

export const ExportedUserSchema = t.Object(
  {
    ...shown,
    terms_version: nullable(t.String({ description: "The terms that the person has accepted last" })),
    terms_accepted_at: nullable(Timestamp),
    external_id: nullable(t.String({ description: "The id by which other programs of the operator know the account" })),
    ...openMetadata,
  },
  { title: "ExportedUser", description: "All that is kept about an account in its own row, for its own user" },
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

export const presentMetadata = ({ app, user }: OpenMetadata) => ({
  app_metadata: readStored(app),
  user_metadata: readStored(user),
});

export const presentPrivate = (metadata: Metadata) => ({ private_metadata: readStored(metadata.private) });

export const presentExportedUser = (
  user: ShownUser & Pick<UserRow, "externalId" | "termsVersion" | "termsAcceptedAt">,
  metadata: OpenMetadata,
): typeof ExportedUserSchema.static => ({
  ...presentOwnUser(user, metadata),
  terms_version: user.termsVersion,
  terms_accepted_at: timestamp(user.termsAcceptedAt),
  external_id: user.externalId,
});

export const presentOwnUser = (user: ShownUser, metadata: OpenMetadata): typeof OwnUserSchema.static => ({
  ...presentUser(user),
  ...presentMetadata(metadata),
});
