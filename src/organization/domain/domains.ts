import type { Journal, OrganizationAuth } from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { randomToken, secretsEqual } from "../../core/crypto.ts";
import { AppError, invalidFields } from "../../core/errors.ts";
import { isFault } from "../../core/fields.ts";
import { isId, newId } from "../../core/ids.ts";
import { tryAnew } from "../../core/pace/anew.ts";
import type { Topic } from "../../core/topics.ts";
import { byOf, type Actor, type Standings } from "../actor.ts";
import type { OwnerNotices } from "../owner.notices.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import { admin, owner } from "../roles.ts";
import type { Domain, DomainRepository, JoinMode } from "./domain.repository.ts";
import { LookupFailure, type TextLookup } from "./lookup.ts";
import { readDomain, recordName } from "./name.ts";

interface DomainOptions {
  readonly domains: DomainRepository;
  readonly organizations: Pick<OrganizationRepository, "hold" | "byId">;
  readonly standingOf: Standings;
  readonly tellOwners: OwnerNotices;
  readonly lookUp: TextLookup;
  readonly journal: Journal;
  readonly limitHourly: OrganizationAuth["limitHourly"];
  readonly clock: Clock;
}

/** How many domains an organization can claim. */
export const mostDomains = 50;
/** How often the names of others are looked up in an hour, for one organization and for one person. */
const lookupsPerHour = 60;

type DomainTopic = Extract<Topic, `organization.domain-${string}`>;

/** What is told of a domain. */
export const domainEvent = (topic: DomainTopic, { id, organizationId, domain }: Domain) => ({
  topic,
  payload: { organization_id: organizationId, domain_id: id, domain },
});

/** Whether one of the texts is the proof. A proof that a server has cut into several strings is put together before. */
export const holdsProof = (texts: readonly string[], { token }: Pick<Domain, "token">): boolean =>
  texts.some((text) => secretsEqual(text.trim(), token));

/** Domains of organizations, and their proof. Each act throws AppError, and is one of owners and admins. */
export function createDomains(options: DomainOptions) {
  const { domains, organizations, standingOf, tellOwners, lookUp, journal, limitHourly, clock } = options;

  async function found(organizationId: string, id: string): Promise<Domain> {
    const domain = isId(id) ? await domains.find(organizationId, id) : undefined;
    if (domain === undefined) throw new AppError("domain_not_found");
    return domain;
  }

  const isTaken = async ({ organizationId, domain }: Pick<Domain, "organizationId" | "domain">): Promise<boolean> => {
    const proven = await domains.proven(domain);
    return proven !== undefined && proven.organizationId !== organizationId;
  };

  /** Throws `rate_limited`: somebody else's servers are asked. */
  async function limitLookups(actor: Actor, organizationId: string): Promise<void> {
    await limitHourly("domain-lookup", organizationId, lookupsPerHour);
    if (actor.kind === "person") await limitHourly("domain-lookup-by", actor.session.userId, lookupsPerHour);
  }

  async function textsOf(domain: string): Promise<readonly string[]> {
    try {
      return await lookUp(recordName(domain));
    } catch (error) {
      if (error instanceof LookupFailure) throw new AppError("domain_lookup_failed", { cause: error });
      throw error;
    }
  }

  return {
    async list(actor: Actor, organizationId: string): Promise<readonly Domain[]> {
      await standingOf(actor, organizationId, admin);
      return domains.list(organizationId);
    },

    /** Claims a domain, which is nobody's until it is proven. A domain that the organization claims already is returned as it is. */
    async claim(actor: Actor, organizationId: string, text: string): Promise<Domain> {
      await standingOf(actor, organizationId, admin);
      const domain = await readDomain(text);
      if (isFault(domain)) throw invalidFields({ domain });
      return tryAnew(async () => {
        const { holds } = await standingOf(actor, organizationId, admin);
        const claims = await domains.list(organizationId);
        const own = claims.find((one) => one.domain === domain);
        if (own !== undefined) return own;
        if (await isTaken({ organizationId, domain })) throw new AppError("domain_taken");
        if (claims.length >= mostDomains) throw new AppError("limit_reached");
        const claim = { id: newId(), organizationId, domain, token: randomToken(), joinMode: "none" } as const;
        const now = clock.now();
        const done = await journal.commit({
          statements: [organizations.hold(organizationId, 0), ...holds, domains.insert(claim, mostDomains, now)],
          tell: [
            {
              topic: "organization.domain-added",
              payload: { organization_id: organizationId, domain_id: claim.id, domain },
              by: byOf(actor),
            },
          ],
        });
        return done.applied ? domains.find(organizationId, claim.id) : undefined;
      });
    },

    /** Proves a domain by its records. Throws `domain_taken`, `domain_record_missing` and `domain_lookup_failed`. */
    async verify(actor: Actor, organizationId: string, id: string): Promise<Domain> {
      await standingOf(actor, organizationId, admin);
      const asked = await found(organizationId, id);
      if (asked.verifiedAt !== null) return asked;
      if (await isTaken(asked)) throw new AppError("domain_taken");
      await limitLookups(actor, organizationId);
      if (!holdsProof(await textsOf(asked.domain), asked)) throw new AppError("domain_record_missing");
      return tryAnew(async () => {
        const { holds } = await standingOf(actor, organizationId, admin);
        const domain = await found(organizationId, id);
        if (domain.verifiedAt !== null) return domain;
        if (await isTaken(domain)) throw new AppError("domain_taken");
        const done = await journal.commit({
          statements: [organizations.hold(organizationId, 0), ...holds, domains.prove(domain, clock.now())],
          tell: [{ ...domainEvent("organization.domain-verified", domain), by: byOf(actor) }],
        });
        return done.applied ? domains.find(organizationId, id) : undefined;
      });
    },

    async setJoin(actor: Actor, organizationId: string, id: string, join: JoinMode): Promise<Domain> {
      return tryAnew(async () => {
        const { holds } = await standingOf(actor, organizationId, admin);
        const domain = await found(organizationId, id);
        if (domain.joinMode === join) return domain;
        const done = await journal.commit({
          statements: [organizations.hold(organizationId, 0), ...holds, domains.setJoin(id, join)],
          tell: [{ ...domainEvent("organization.domain-changed", domain), by: byOf(actor) }],
        });
        return done.applied ? found(organizationId, id) : undefined;
      });
    },

    /** Gives a domain up. One that carries the provider is for owners to give up: nobody would have to sign in by it any more. */
    async remove(actor: Actor, organizationId: string, id: string): Promise<void> {
      await tryAnew(async () => {
        await standingOf(actor, organizationId, admin);
        const domain = await found(organizationId, id);
        const isCarrying = await domains.carriesProvider(domain);
        const { holds } = await standingOf(actor, organizationId, isCarrying ? owner : admin);
        const done = await journal.commit({
          statements: [organizations.hold(organizationId, 0), ...holds, domains.remove(id, isCarrying)],
          // A claim that nobody has proven is worth nothing, and names whatever somebody has typed.
          jobs:
            domain.verifiedAt === null
              ? []
              : await tellOwners("organization_domain_removed", organizationId, { about: domain.domain, actor }),
          tell: [{ ...domainEvent("organization.domain-removed", domain), by: byOf(actor) }],
        });
        return done.applied || undefined;
      });
    },
  };
}

export type Domains = ReturnType<typeof createDomains>;
