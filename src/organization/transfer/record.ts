import { mergePatchField, patched, pastTime, readStored, type AccountNames } from "../../auth/index.ts";
import { timestamp, type Clock, type Millis } from "../../core/clock.ts";
import { AppError, invalidFields } from "../../core/errors.ts";
import { FieldFault, isFault, missingField, unknownNames, wrongType } from "../../core/fields.ts";
import { isId } from "../../core/ids.ts";
import { bodyOf, field, type Field } from "../../http/index.ts";
import type { TransferredRow } from "../member.repository.ts";
import type { Organization } from "../organization.repository.ts";
import { readRoles, rolesFault } from "../roles.ts";
import { slugFault } from "../slug.ts";

interface TransferredMember {
  readonly names: AccountNames;
  readonly roles: readonly string[];
  /** Undefined where the file does not say it. */
  readonly joinedAt: Millis | undefined;
}

/** A line of a file: an organization with members of it, or further members of one that an earlier line has. */
export interface TransferredOrganization {
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

/** Makes a field that may be left out, null or empty. */
const optional = <T>({ schema, read }: Field<T>): Field<T | undefined> => ({
  schema,
  isOptional: true,
  read: (value) => (value === undefined || value === null || value === "" ? undefined : read(value)),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const timeOf = (text: string | undefined): Millis | undefined => (text === undefined ? undefined : Date.parse(text));

/** Makes a function that reads an object of these fields. A misspelt field, or one of another system, must not be lost without a word. */
function readerOf<F extends Readonly<Record<string, Field<unknown>>>>(what: string, fields: F) {
  const body = bodyOf(fields)["~standard"];
  return async (sent: unknown) => {
    if (!isObject(sent)) throw invalidFields({ [what]: wrongType("an object of JSON") });
    const unknown = unknownNames(
      Object.keys(sent),
      (name) => Object.hasOwn(fields, name),
      `is no field of this ${what}`,
    );
    if (Object.keys(unknown).length > 0) throw invalidFields(unknown);
    return (await body.validate(sent)).value;
  };
}

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

/** Reads the members, and names the entry that is at fault. */
async function readMembers(
  sent: readonly unknown[],
  read: ReturnType<typeof createMemberReader>,
): Promise<readonly TransferredMember[]> {
  const members: TransferredMember[] = [];
  for (const [at, one] of sent.entries())
    try {
      members.push(await read(one));
    } catch (error) {
      const [fault] = Object.entries((error instanceof AppError && error.fields) || {});
      if (fault === undefined) throw error;
      const [name, { code, complaint }] = fault;
      throw invalidFields({ members: new FieldFault(code, `has entry ${at + 1}, whose ${name} ${complaint}`) });
    }
  return members;
}

/** A list whose entries are read one by one afterwards. */
const entries: Field<readonly unknown[]> = {
  schema: {},
  read(value) {
    if (!Array.isArray(value)) return wrongType("a list");
    return value.length > mostMembers ? new FieldFault("too_long", `must have ${mostMembers} entries at most`) : value;
  },
};

/** Makes a function that reads a line, and throws `invalid_payload` with the fields that are at fault. */
export function createOrganizationReader(clock: Clock) {
  const readMember = createMemberReader(clock);
  const read = readerOf("organization", {
    slug: field.text({ most: 100, rule: (text) => slugFault(text) ?? text }),
    id: optional(id),
    name: optional(field.text({ most: 100 })),
    metadata: mergePatchField(""),
    created_at: optional(pastTime(clock)),
    members: optional(entries),
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
      members: await readMembers(value.members ?? [], readMember),
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

/** Returns an organization with its first members as a line. */
export const organizationRecord = (organization: Organization, members: readonly TransferredRow[]) => ({
  slug: organization.slug,
  id: organization.id,
  name: organization.name,
  ...(organization.metadata !== null &&
    organization.metadata !== "{}" && { metadata: readStored(organization.metadata) }),
  created_at: timestamp(organization.createdAt),
  members: members.map(memberRecord),
});

/** Returns further members of an organization as a line. */
export const furtherRecord = ({ slug: of }: Organization, members: readonly TransferredRow[]) => ({
  slug: of,
  members: members.map(memberRecord),
});
