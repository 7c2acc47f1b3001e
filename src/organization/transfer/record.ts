import {
  mergePatchField,
  patched,
  pastTime,
  readStored,
  type AccountNames,
  type OrganizationInvitation,
} from "../../auth/index.ts";
import { timestamp, type Clock, type Millis } from "../../core/clock.ts";
import { invalidFields } from "../../core/errors.ts";
import { FieldFault, isFault, missingField } from "../../core/fields.ts";
import { isId } from "../../core/ids.ts";
import { field } from "../../http/index.ts";
import type { Domain } from "../domain/domain.repository.ts";
import type { TransferredRow } from "../member.repository.ts";
import type { Organization } from "../organization.repository.ts";
import type { ProviderRow } from "../provider/provider.repository.ts";
import { readRoles, rolesFault } from "../roles.ts";
import { nameFault } from "../name.ts";
import { slugFault } from "../slug.ts";
import { optional, readerOf, timeOf } from "./fields.ts";
import {
  createPartsReader,
  domainRecord,
  entries,
  invitationRecord,
  partFields,
  providerRecord,
  readEntries,
  type TransferredParts,
} from "./parts.record.ts";

interface TransferredMember {
  readonly names: AccountNames;
  readonly roles: readonly string[];
  /** Undefined where the file does not say it. */
  readonly joinedAt: Millis | undefined;
}

/** A line of a file: an organization with members of it, or further members of one that an earlier line has. */
export interface TransferredOrganization extends TransferredParts {
  readonly slug: string;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** In its stored form. */
  readonly metadata: string | null;
  readonly createdAt: Millis | undefined;
  readonly members: readonly TransferredMember[];
}

/** What one line has at most. A larger organization has several. */
export const membersPerLine = 500;
/** What a line of another's making may have: the length of a line is bounded besides. */
const mostMembers = 10_000;

const id = field.text({
  most: 36,
  rule: (text) => (isId(text.toLowerCase()) ? text.toLowerCase() : new FieldFault("invalid_value", "must be a UUID")),
});

function createMemberReader(clock: Clock) {
  const read = readerOf("member", {
    id: optional(id),
    external_id: optional(field.text({ most: 128 })),
    email: optional(field.text({ most: 320 })),
    roles: optional(field.list(field.text({ most: 64 }), 100)),
    joined_at: optional(pastTime(clock)),
  });
  return async (sent: unknown): Promise<TransferredMember> => {
    const { id: accountId, external_id: externalId, email, roles = ["member"], joined_at: joinedAt } = await read(sent);
    const fault = rolesFault(roles);
    if (fault !== undefined) throw invalidFields({ roles: fault });
    if ([accountId, externalId, email].every((name) => name === undefined))
      throw invalidFields({ email: missingField });
    return { names: { id: accountId, externalId, email }, roles, joinedAt: timeOf(joinedAt) };
  };
}

/** Makes a function that reads a line, and throws `invalid_payload` with the fields that are at fault. */
export function createOrganizationReader(clock: Clock) {
  const readMember = createMemberReader(clock);
  const readParts = createPartsReader(clock);
  const read = readerOf("organization", {
    slug: field.text({ most: 100, rule: (text) => slugFault(text) ?? text }),
    id: optional(id),
    name: optional(field.text({ most: 100, rule: (text) => nameFault(text) ?? text })),
    metadata: mergePatchField(""),
    created_at: optional(pastTime(clock)),
    members: optional(entries(mostMembers)),
    ...partFields,
  });
  return async (sent: unknown): Promise<TransferredOrganization> => {
    const value = await read(sent);
    const metadata = value.metadata === undefined ? null : patched("{}", value.metadata);
    if (isFault(metadata)) throw invalidFields({ metadata });
    return {
      slug: value.slug,
      id: value.id,
      name: value.name,
      metadata: metadata === "{}" ? null : metadata,
      createdAt: timeOf(value.created_at),
      members: await readEntries("members", value.members ?? [], readMember),
      ...(await readParts(value)),
    };
  };
}

const memberRecord = ({ userId, externalId, email, roles, joinedAt }: TransferredRow) => ({
  id: userId,
  ...(externalId !== null && { external_id: externalId }),
  email,
  roles: readRoles(roles),
  joined_at: timestamp(joinedAt),
});

interface Held {
  readonly domains: readonly Domain[];
  readonly provider: ProviderRow | undefined;
}

/** Returns an organization with its domains, its provider and its first members as a line. */
export const organizationRecord = (
  organization: Organization,
  { domains, provider }: Held,
  members: readonly TransferredRow[],
) => ({
  slug: organization.slug,
  id: organization.id,
  name: organization.name,
  ...(organization.metadata !== null &&
    organization.metadata !== "{}" && { metadata: readStored(organization.metadata) }),
  created_at: timestamp(organization.createdAt),
  ...(domains.length > 0 && { domains: domains.map(domainRecord) }),
  ...(provider !== undefined && { provider: providerRecord(provider) }),
  members: members.map(memberRecord),
});

/** Returns further members of an organization as a line. */
export const furtherRecord = ({ slug: of }: Organization, members: readonly TransferredRow[]) => ({
  slug: of,
  members: members.map(memberRecord),
});

/** Returns invitations to an organization as a line. */
export const invitationsRecord = ({ slug: of }: Organization, invitations: readonly OrganizationInvitation[]) => ({
  slug: of,
  invitations: invitations.map(invitationRecord),
});
