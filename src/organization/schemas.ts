import { t } from "elysia";
import { email, JsonSchema, locale, mergePatchField, readStored, type OrganizationInvitation } from "../auth/index.ts";
import { timestamp } from "../core/clock.ts";
import { FieldFault } from "../core/fields.ts";
import { isId } from "../core/ids.ts";
import { isName, namePattern } from "../core/naming.ts";
import { positionPattern } from "../core/text/position.ts";
import { bodyOf, field, nullable, Timestamp } from "../http/index.ts";
import type { Joinable } from "./domain/domain.repository.ts";
import type { Member } from "./member.repository.ts";
import type { Organization, OwnOrganization } from "./organization.repository.ts";
import { readRoles } from "./roles.ts";

const shared = {
  id: t.String(),
  slug: t.String({ description: "Unique among organizations, for addresses" }),
  name: t.String(),
  metadata: JsonSchema("What the app keeps on it"),
  members: t.Number({ description: "How many members it has" }),
  created_at: Timestamp,
};
const OrganizationSchema = t.Object(shared, { title: "Organization" });
const OwnOrganizationSchema = t.Object(
  {
    ...shared,
    roles: t.Array(t.String(), {
      description: "What you are in it: `owner`, `admin`, `member` or names of the app's own",
    }),
    active: t.Boolean({ description: "Whether this session acts for it" }),
  },
  { title: "OwnOrganization" },
);
const MemberSchema = t.Object(
  {
    user: t.Object({
      id: t.String(),
      username: t.String(),
      display_name: t.String(),
      email: t.String(),
      avatar_url: nullable(t.String()),
      active: t.Boolean({ description: "Whether the account is switched on" }),
    }),
    roles: t.Array(t.String()),
    joined_at: Timestamp,
  },
  { title: "Member" },
);
const InvitationSchema = t.Object(
  {
    id: t.String(),
    email: t.String(),
    roles: t.Array(t.String()),
    state: t.String({ documented: { enum: ["waiting", "accepted", "withdrawn", "expired", "void"] } }),
    invited_by: nullable(t.String({ description: "The name of the person who invited" })),
    invited_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: "OrganizationInvitation" },
);

export const presentOrganization = (found: Organization): typeof OrganizationSchema.static => ({
  id: found.id,
  slug: found.slug,
  name: found.name,
  metadata: { ...readStored(found.metadata ?? "{}") },
  members: found.members,
  created_at: timestamp(found.createdAt),
});

export const presentOwn = (found: OwnOrganization): typeof OwnOrganizationSchema.static => ({
  ...presentOrganization(found),
  roles: readRoles(found.roles),
  active: found.active === 1,
});

export const presentMember = (found: Member): typeof MemberSchema.static => ({
  user: {
    id: found.userId,
    username: found.username,
    display_name: found.displayName,
    email: found.email,
    avatar_url: found.avatarUrl,
    active: found.userActive === 1,
  },
  roles: readRoles(found.roles),
  joined_at: timestamp(found.joinedAt),
});

export const presentInvitation = (found: OrganizationInvitation): typeof InvitationSchema.static => ({
  id: found.id,
  email: found.email,
  roles: [...found.roles],
  state: found.state,
  invited_by: found.invitedBy,
  invited_at: timestamp(found.invitedAt),
  expires_at: timestamp(found.expiresAt),
});

export const presentJoinable = ({ organizationId, slug, name }: Joinable): typeof JoinableSchema.static => ({
  id: organizationId,
  slug,
  name,
});

const ok = t.Literal(true);
const next = nullable(t.String({ description: "`cursor` of the next page" }));
export const OkOrganization = t.Object({ ok, organization: OrganizationSchema });
export const OkOwnOrganization = t.Object({ ok, organization: OwnOrganizationSchema });
export const OkActive = t.Object({ ok, organization: nullable(OwnOrganizationSchema) });
export const OrganizationPage = t.Object({ ok, organizations: t.Array(OrganizationSchema), next });
const JoinableSchema = t.Object(
  { id: t.String(), slug: t.String(), name: t.String() },
  { title: "JoinableOrganization" },
);
export const OwnOrganizationPage = t.Object({
  ok,
  organizations: t.Array(OwnOrganizationSchema),
  joinable: t.Array(JoinableSchema, {
    description: "Those that you may join by the proven domain of your address; on the first page alone",
  }),
  next,
});
export const MemberPage = t.Object({ ok, members: t.Array(MemberSchema), next });
export const OkMember = t.Object({ ok, member: MemberSchema });
export const InvitationPage = t.Object({ ok, invitations: t.Array(InvitationSchema), next });
export const OkInvitation = t.Object({ ok, invitation: InvitationSchema });

const uuid = { documented: { format: "uuid" } };
export const OrganizationId = t.Object({ id: t.String(uuid) });
export const MemberId = t.Object({ id: t.String(uuid), user: t.String(uuid) });
export const InvitationId = t.Object({ id: t.String(uuid), invitation: t.String(uuid) });

const limit = t.Optional(t.String({ pattern: "^([1-9]\\d?|1\\d\\d|200)$", description: "1 to 200, by default 50" }));
const idPattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
const cursorOf = (documented: string) =>
  t.Optional(
    t.String({ maxLength: 64, documented: { pattern: documented }, description: "The `next` of an earlier page" }),
  );
export const PageQuery = t.Object({ cursor: cursorOf(idPattern), limit });
export const InvitationQuery = t.Object({ cursor: cursorOf(positionPattern), limit });
export const readLimit = (text = "50"): number => Number(text);

const name = field.text({ most: 100, schema: { description: "What people call it" } });
const slug = field.text({
  most: 48,
  schema: { pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", description: "For addresses; made of the name where it is left out" },
});
const role = field.text({
  most: 32,
  rule: (text) => (isName("role", text) ? text : new FieldFault("invalid_value", "must be names of roles")),
  schema: { pattern: namePattern("role") },
});
const roles = field.list(role, 16, { minItems: 1 });
const id = field.text({
  most: 64,
  rule: (text) => (isId(text) ? text : new FieldFault("invalid_value", "must be an id")),
  schema: { format: "uuid" },
});

export const CreateBody = bodyOf({ name, slug: field.optional(slug) }, { example: { name: "Acme Inc", slug: "acme" } });
export const CreateForBody = bodyOf(
  { name, slug: field.optional(slug), owner: id },
  { isStrict: true, example: { name: "Acme Inc", slug: "acme", owner: "01980000-0000-7000-8000-000000000000" } },
);
const changes = {
  name: field.optional(name),
  slug: field.optional(slug),
  metadata: mergePatchField("What the app keeps on the organization."),
};
export const PatchBody = bodyOf(changes, { example: { name: "Acme Limited", metadata: { plan: "pro" } } });
export const StrictPatchBody = bodyOf(changes, { isStrict: true, example: { metadata: { plan: "pro" } } });
export const RolesBody = bodyOf({ roles }, { example: { roles: ["admin", "billing"] } });
export const AddBody = bodyOf({ user: id, roles: field.optional(roles) }, { isStrict: true });
export const SwitchBody = bodyOf(
  { id: { ...field.emptiable(id), isOptional: false } },
  { example: { id: "01980000-0000-7000-8000-000000000000" } },
);
export const InviteBody = bodyOf(
  {
    email,
    roles: field.optional(roles),
    locale: field.blankable(locale),
  },
  { example: { email: "ada@example.com", roles: ["member"] } },
);
