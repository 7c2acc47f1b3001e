import { timestamp } from "../../../core/clock.ts";
import { defaultWidth, harmless, moment, table, wrapped, type Column } from "../../terminal/columns.ts";
import { command, readCount } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import {
  operator,
  org,
  organizationOf,
  presentMember,
  presentOrganization,
  withOrganizations,
  type Organization,
  type Organizations,
} from "./with.organizations.ts";

const mostListed = 10_000;
const pageSize = 200;

/** Collects pages until there are as many entries as asked for. */
async function collect<Row>(
  limit: number,
  read: (cursor: string | undefined, limit: string) => Promise<{ readonly page: readonly Row[]; next: string | null }>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  let cursor: string | undefined;
  do {
    const { page, next } = await read(cursor, String(Math.min(pageSize, limit - found.length)));
    found.push(...page);
    cursor = next ?? undefined;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

async function details(organizations: Organizations, organization: Organization, limit: number) {
  const { id } = organization;
  const { acts } = organizations;
  const [owners, members, invitations, domains, { provider }] = await Promise.all([
    organizations.owners(id),
    collect(limit, (cursor, most) => acts.memberPage(operator, id, { cursor, limit: most })),
    collect(limit, (cursor, most) => acts.invitationPage(operator, id, { cursor, limit: most })),
    acts.domains.list(operator, id),
    acts.providers.find(operator, id),
  ]);
  return { organization, owners, members, invitations, domains, provider };
}
type Details = Awaited<ReturnType<typeof details>>;

export const show = command({
  args: {
    org,
    limit: { type: "string", default: "50", valueHint: "N", description: `At most N members, up to ${mostListed}` },
    json: jsonObject,
  },
  async run(context, args) {
    const limit = readCount("limit", args.limit, mostListed);
    return withOrganizations(context, async (organizations) => {
      const organization = await organizationOf(organizations, args.org);
      const shown = await details(organizations, organization, limit);
      if (args.json === true) return jsonLine(present(shown));
      if (shown.members.length < organization.members)
        context.terminal.err(`the first ${limit} of ${organization.members} members: see --limit`);
      return inWords(shown, context.terminal.columns ?? defaultWidth);
    });
  },
});

const metadataOf = ({ metadata }: Organization): unknown => JSON.parse(metadata ?? "{}");

const presentDomain = ({ id, domain, verifiedAt, joinMode, lostAt }: Details["domains"][number]) => ({
  id,
  domain,
  verified: verifiedAt !== null,
  join: joinMode,
  lost_at: timestamp(lostAt),
});

const presentProvider = ({ issuer, clientId, enforced, updatedAt }: NonNullable<Details["provider"]>) => ({
  issuer,
  client_id: clientId,
  enforced: enforced === 1,
  updated_at: timestamp(updatedAt),
});

const present = ({ organization, owners, members, invitations, domains, provider }: Details) => ({
  ...presentOrganization(organization),
  metadata: metadataOf(organization),
  owners: owners.map(presentMember),
  member_list: members.map(presentMember),
  invitations: invitations.map((invitation) => ({
    id: invitation.id,
    email: invitation.email,
    roles: invitation.roles,
    state: invitation.state,
    invited_by: invitation.invitedBy,
    invited_at: timestamp(invitation.invitedAt),
    expires_at: timestamp(invitation.expiresAt),
  })),
  domains: domains.map(presentDomain),
  provider: provider === undefined ? null : presentProvider(provider),
});

const indent = "  ";
const label = 14;

const ownersInWords = ({ organization: { activeOwners }, owners }: Details): string => {
  const names = owners.map(({ username, userActive }) => (userActive === 1 ? username : `${username} (disabled)`));
  return activeOwners > 0
    ? names.join(", ")
    : `${names.join(", ")}; nobody can act as an owner: org:roles and org:add give it one`;
};

function inWords(shown: Details, width: number): string {
  const { organization, members, invitations, domains, provider } = shown;
  const room = width - indent.length;
  const line = (name: string, value: string): string =>
    wrapped(harmless(value), room - label)
      .map((part, index) => (index === 0 ? name : "").padEnd(label) + part)
      .join("\n");
  const facts = [
    line("id", organization.id),
    line("slug", organization.slug),
    line("name", organization.name),
    line("members", String(organization.members)),
    line("owners", ownersInWords(shown)),
    line("created", moment(organization.createdAt)),
    ...(provider === undefined ? [] : [line("provider", providerInWords(provider))]),
  ];
  const sections: readonly (readonly [heading: string, text: string])[] = [
    ["organization", facts.join("\n")],
    ["members", table(members, memberColumns, room)],
    ["invitations that wait", invitations.length === 0 ? "none" : table(invitations, invitationColumns, room)],
    ...(domains.length === 0 ? [] : [["domains", table(domains, domainColumns, room)] as const]),
  ];
  const text = sections.map(([heading, body]) => `${heading}\n${body.replaceAll(/^/gm, indent)}`).join("\n\n");
  return `${text}\n\ntimes are in UTC`;
}

const providerInWords = ({ issuer, enforced, updatedAt }: NonNullable<Details["provider"]>): string =>
  `${issuer}, set ${moment(updatedAt)}${enforced === 1 ? ", and members have to come by it" : ""}`;

const domainColumns: readonly Column<Details["domains"][number]>[] = [
  { head: "DOMAIN", of: ({ domain }) => domain, least: 16 },
  {
    head: "STATE",
    of: ({ verifiedAt, lostAt }) => (verifiedAt === null ? (lostAt === null ? "not proven" : "lost") : "proven"),
  },
  { head: "JOIN", of: ({ joinMode }) => joinMode },
  { head: "SINCE", of: ({ createdAt }) => moment(createdAt).slice(0, "2026-01-31".length) },
];
const memberColumns: readonly Column<Details["members"][number]>[] = [
  { head: "NAME", of: ({ username }) => username, least: 10 },
  { head: "ADDRESS", of: ({ email }) => email, least: 16 },
  { head: "ROLES", of: ({ roles }) => roles.replaceAll(" ", ", "), least: 8 },
  { head: "STATE", of: ({ userActive }) => (userActive === 1 ? "active" : "disabled") },
  { head: "JOINED", of: ({ joinedAt }) => moment(joinedAt).slice(0, "2026-01-31".length) },
];
const invitationColumns: readonly Column<Details["invitations"][number]>[] = [
  { head: "ADDRESS", of: ({ email }) => email, least: 16 },
  { head: "ROLES", of: ({ roles }) => roles.join(", "), least: 8 },
  { head: "STATE", of: ({ state }) => state },
  { head: "UNTIL", of: ({ expiresAt }) => moment(expiresAt) },
];
