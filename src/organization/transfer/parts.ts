import type { Journal, OrganizationAuth } from "../../auth/index.ts";
import { byOperator, type Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { randomToken } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Seal } from "../../core/keys/seal.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { DomainRepository } from "../domain/domain.repository.ts";
import { mostDomains } from "../domain/domains.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import type { ProviderRepository } from "../provider/provider.repository.ts";
import { issuerFault } from "../provider/providers.ts";
import { admin, rankOf, writeRoles } from "../roles.ts";
import type { TransferredDomain, TransferredParts, TransferredProvider } from "./parts.record.ts";

export interface PartOptions {
  readonly organizations: Pick<OrganizationRepository, "hold">;
  readonly domains: Pick<DomainRepository, "list" | "proven" | "insert">;
  readonly providers: Pick<ProviderRepository, "find" | "bring">;
  readonly invitations: Pick<OrganizationAuth["invitations"], "brought">;
  readonly seal: Seal;
  readonly plainHttp: boolean;
  readonly journal: Journal;
  readonly clock: Clock;
}

/** A part to be written, for the organization with this id. */
type Writing = (organizationId: string) => {
  readonly statement: Statement;
  readonly record: Occurrence;
};

/** What a line brings besides members. */
export interface NewParts {
  readonly domains: readonly Writing[];
  readonly providers: readonly Writing[];
  readonly invitations: readonly Writing[];
  /** How many providers are left out, since nothing opens their secret. */
  readonly secretless: number;
}

const partsPerCommit = 100;

/** Brings in domains, which are unproven here, providers, and invitations, of which no mail tells. */
export function createParts(options: PartOptions) {
  const { organizations, domains, providers, invitations, seal, plainHttp, journal, clock } = options;

  const claim =
    ({ domain, join }: TransferredDomain): Writing =>
    (organizationId) => {
      // The proof is a new one: the writer of a file could know the record of somebody else's domain, which all the world can read.
      const row = { id: newId(), organizationId, domain, token: randomToken(), joinMode: join };
      return {
        statement: domains.insert(row, mostDomains, clock.now()),
        record: {
          topic: "organization.domain-added",
          payload: { organization_id: organizationId, domain_id: row.id, domain },
          by: byOperator,
        },
      };
    };

  /** Returns the domains that are to be claimed, or the fault of one. */
  async function newDomains(sent: TransferredParts["domains"], existing: string | undefined) {
    const claims = existing === undefined ? [] : await domains.list(existing);
    const known = new Set(claims.map(({ domain }) => domain));
    const found: Writing[] = [];
    for (const [at, one] of sent.entries()) {
      if (known.has(one.domain)) continue;
      known.add(one.domain);
      const proven = await domains.proven(one.domain);
      if (proven !== undefined) return `domains: entry ${at + 1} is proven by another organization`;
      found.push(claim(one));
    }
    return known.size > mostDomains ? `domains: would be more than ${mostDomains} of one organization` : found;
  }

  /** Returns the provider that is to be set, or its fault. Without a secret there is none. */
  async function newProvider(
    { issuer, clientId, enforced, secret, sealed }: TransferredProvider,
    existing: string | undefined,
    id: string | undefined,
  ) {
    if (existing !== undefined && (await providers.find(existing)) !== undefined) return [];
    const fault = issuerFault(issuer, plainHttp);
    if (fault !== undefined) return `provider: issuer ${fault.complaint}`;
    const opened = secret ?? (sealed === undefined || id === undefined ? undefined : seal.open(sealed, id));
    if (opened === undefined) return undefined;
    const set: Writing = (organizationId) => ({
      statement: providers.bring(
        { organizationId, issuer, clientId, secret: seal.seal(opened, organizationId), enforced: enforced ? 1 : 0 },
        clock.now(),
      ),
      record: {
        topic: "organization.provider-set",
        payload: { organization_id: organizationId, enforced },
        by: byOperator,
      },
    });
    return [set];
  }

  async function newInvitations(sent: TransferredParts["invitations"], existing: string | undefined) {
    const found = new Map<string, Writing>();
    for (const [at, { roles, ...one }] of sent.entries()) {
      if (one.expiresAt <= clock.now()) continue;
      const terms = { ...one, roles: writeRoles(roles), rank: Math.max(rankOf(roles), admin) };
      try {
        const brought = await invitations.brought(terms, existing);
        if (brought === undefined) continue;
        found.set(brought.emailKey, (organizationId) => {
          const id = newId();
          return {
            statement: brought.bring(id, organizationId),
            record: {
              topic: "auth.user-invited",
              payload: { invitation_id: id, organization_id: organizationId },
              by: byOperator,
            },
          };
        });
      } catch (error) {
        const [fault] = Object.entries((error instanceof AppError && error.fields) || {});
        if (fault === undefined) throw error;
        return `invitations: has entry ${at + 1}, whose ${fault[0]} ${fault[1].complaint}`;
      }
    }
    return [...found.values()];
  }

  return {
    /** Returns what is new of a line, or what is wrong with it. `id`: what the organization has, or is to have. */
    async judge(
      sent: TransferredParts,
      existing: string | undefined,
      id: string | undefined,
    ): Promise<NewParts | string> {
      const claimed = await newDomains(sent.domains, existing);
      if (typeof claimed === "string") return claimed;
      const set = sent.provider === undefined ? [] : await newProvider(sent.provider, existing, id);
      if (typeof set === "string") return set;
      const invited = await newInvitations(sent.invitations, existing);
      if (typeof invited === "string") return invited;
      return { domains: claimed, providers: set ?? [], invitations: invited, secretless: set === undefined ? 1 : 0 };
    },

    /** Resolves to whether everything was written. */
    async write(organizationId: string, parts: NewParts): Promise<boolean> {
      const all = [...parts.domains, ...parts.providers, ...parts.invitations];
      for (let start = 0; start < all.length; start += partsPerCommit) {
        const some = all.slice(start, start + partsPerCommit).map((write) => write(organizationId));
        const { applied } = await journal.commit({
          statements: [organizations.hold(organizationId, 0), ...some.map(({ statement }) => statement)],
          record: some.map(({ record }) => record),
        });
        if (!applied) return false;
      }
      return true;
    },
  };
}

export type Parts = ReturnType<typeof createParts>;
