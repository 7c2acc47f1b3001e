import { pastTime, type OrganizationInvitation } from "../../auth/index.ts";
import { day, readTimestamp, timestamp, type Clock, type Millis } from "../../core/clock.ts";
import { AppError, invalidFields } from "../../core/errors.ts";
import { FieldFault, isFault, wrongType } from "../../core/fields.ts";
import { field, type Field } from "../../http/index.ts";
import { joinModes, type Domain, type JoinMode } from "../domain/domain.repository.ts";
import { mostDomains } from "../domain/domains.ts";
import { readDomain } from "../domain/name.ts";
import type { ProviderRow } from "../provider/provider.repository.ts";
import { rolesFault } from "../roles.ts";
import { optional, readerOf, timeOf } from "./fields.ts";

export interface TransferredDomain {
  readonly domain: string;
  readonly join: JoinMode;
}

export interface TransferredProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly enforced: boolean;
  /** As somebody wrote it into the file. */
  readonly secret: string | undefined;
  /** As an export writes it: it opens by the key of the application alone, and for the same organization. */
  readonly sealed: string | undefined;
}

export interface TransferredInvitation {
  readonly email: string;
  readonly roles: readonly string[];
  readonly locale: string | undefined;
  readonly invitedAt: Millis;
  readonly expiresAt: Millis;
}

/** What a line has of an organization besides its members. */
export interface TransferredParts {
  readonly domains: readonly TransferredDomain[];
  readonly provider: TransferredProvider | undefined;
  readonly invitations: readonly TransferredInvitation[];
}

/** What one line has at most. */
export const invitationsPerLine = 500;
const usualDays = 7;
const mostDays = 30;

/** A list whose entries are read one by one afterwards. */
export const entries = (most: number): Field<readonly unknown[]> => ({
  schema: {},
  read(value) {
    if (!Array.isArray(value)) return wrongType("a list");
    return value.length > most ? new FieldFault("too_long", `must have ${most} entries at most`) : value;
  },
});

/** Says of a fault in a part of a line where it is. */
function faultWithin(part: string, where: string, error: unknown): unknown {
  const [fault] = Object.entries((error instanceof AppError && error.fields) || {});
  if (fault === undefined) return error;
  const [name, { code, complaint }] = fault;
  return invalidFields({ [part]: new FieldFault(code, `${where} ${name} ${complaint}`) });
}

/** Reads the entries of a list, and names the one that is at fault. */
export async function readEntries<T>(
  list: string,
  sent: readonly unknown[],
  read: (entry: unknown) => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const [at, one] of sent.entries())
    try {
      found.push(await read(one));
    } catch (error) {
      throw faultWithin(list, `has entry ${at + 1}, whose`, error);
    }
  return found;
}

const isJoinMode = (text: string): text is JoinMode => joinModes.some((mode) => mode === text);
const joinMode = field.text({
  most: 16,
  rule: (text) => (isJoinMode(text) ? text : new FieldFault("invalid_value", "must be none, invite or auto")),
});

const futureTime = (clock: Clock): Field<string> =>
  field.text({
    most: 40,
    rule(text) {
      const at = readTimestamp(text);
      return at !== undefined && at <= clock.now() + mostDays * day
        ? timestamp(at)
        : new FieldFault("invalid_value", `must be a time, at most ${mostDays} days from now`);
    },
  });

const anyObject: Field<object> = {
  schema: {},
  read: (value) => (typeof value === "object" && value !== null ? value : wrongType("an object of JSON")),
};

/** The fields of a line for domains, provider and invitations. */
export const partFields = {
  domains: optional(entries(mostDomains)),
  provider: optional(anyObject),
  invitations: optional(entries(10_000)),
};

interface SentParts {
  readonly domains: readonly unknown[] | undefined;
  readonly provider: object | undefined;
  readonly invitations: readonly unknown[] | undefined;
}

/** Makes a function that reads what a line has besides its members. */
export function createPartsReader(clock: Clock) {
  const readClaim = readerOf("domain", { domain: field.text({ most: 512 }), join: optional(joinMode) });
  const readProvider = readerOf("provider", {
    issuer: field.text({ most: 512 }),
    client_id: field.text({ most: 512 }),
    enforced: optional(field.flag()),
    client_secret: optional(field.password({ most: 4_096 })),
    sealed_secret: optional(field.text({ most: 8_192 })),
  });
  const readInvitation = readerOf("invitation", {
    email: field.text({ most: 320 }),
    roles: optional(field.list(field.text({ most: 64 }), 100)),
    locale: optional(field.text({ most: 64 })),
    invited_at: optional(pastTime(clock)),
    expires_at: optional(futureTime(clock)),
  });

  async function domainOf(sent: unknown): Promise<TransferredDomain> {
    const { domain: text, join } = await readClaim(sent);
    const domain = await readDomain(text);
    if (isFault(domain)) throw invalidFields({ domain });
    return { domain, join: join !== undefined && isJoinMode(join) ? join : "none" };
  }

  async function providerOf(sent: object): Promise<TransferredProvider> {
    try {
      const {
        issuer,
        client_id: clientId,
        enforced = false,
        client_secret: secret,
        sealed_secret: sealed,
      } = await readProvider(sent);
      return { issuer, clientId, enforced, secret, sealed };
    } catch (error) {
      throw faultWithin("provider", "is at fault: its", error);
    }
  }

  async function invitationOf(sent: unknown): Promise<TransferredInvitation> {
    const {
      email,
      roles = ["member"],
      locale,
      invited_at: invitedAt,
      expires_at: expiresAt,
    } = await readInvitation(sent);
    const fault = rolesFault(roles);
    if (fault !== undefined) throw invalidFields({ roles: fault });
    const now = clock.now();
    return {
      email,
      roles,
      locale,
      invitedAt: timeOf(invitedAt) ?? now,
      expiresAt: timeOf(expiresAt) ?? now + usualDays * day,
    };
  }

  return async ({ domains, provider, invitations }: SentParts): Promise<TransferredParts> => {
    return {
      domains: await readEntries("domains", domains ?? [], domainOf),
      provider: provider && (await providerOf(provider)),
      invitations: await readEntries("invitations", invitations ?? [], invitationOf),
    };
  };
}

export const domainRecord = ({ domain, joinMode: join }: Domain) => ({ domain, join });

/** The secret is sealed, and opens by the key of the application alone. */
export const providerRecord = ({ issuer, clientId, enforced, secret }: ProviderRow) => ({
  issuer,
  client_id: clientId,
  enforced: enforced === 1,
  sealed_secret: secret,
});

export const invitationRecord = ({ email, roles, locale, invitedAt, expiresAt }: OrganizationInvitation) => ({
  email,
  roles,
  ...(locale !== null && { locale }),
  invited_at: timestamp(invitedAt),
  expires_at: timestamp(expiresAt),
});
