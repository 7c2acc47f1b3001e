import type { Journal } from "../../auth/index.ts";
import { day, hour, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Schedule } from "../../core/module.ts";
import { inSteps } from "../../core/pace/steps.ts";
import type { Database } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { OwnerNotices } from "../owner.notices.ts";
import type { Domain, DomainRepository } from "./domain.repository.ts";
import { domainEvent, holdsProof } from "./domains.ts";
import { LookupFailure, type TextLookup } from "./lookup.ts";
import { recordName } from "./name.ts";

interface RecheckOptions {
  readonly database: Database;
  readonly domains: DomainRepository;
  readonly tellOwners: OwnerNotices;
  readonly lookUp: TextLookup;
  readonly journal: Pick<Journal, "commit">;
  readonly clock: Clock;
  readonly log: Log;
}

/** A proof is looked at once a day, however often the schedule runs: two looks that find it gone are a day apart. */
const restMs = 20 * hour;
/** How many looks in a row must find the proof gone: one failure of a server takes nothing. */
const mostMissed = 2;
/** How long a proof counts while no server says whether it is there. */
const mostSilenceMs = 14 * day;
const atOnce = 8;

/** `organization:recheck-domains`: looks at the proofs of domains again, in small steps, and takes what is gone. */
export function createDomainRecheck(options: RecheckOptions): Schedule {
  const { database, domains, tellOwners, lookUp, journal, clock, log } = options;

  async function isThere(domain: Domain): Promise<boolean | undefined> {
    try {
      return holdsProof(await lookUp(recordName(domain.domain)), domain);
    } catch (error) {
      // Whether nobody answered or there was no turn to ask: nothing is known.
      if (error instanceof LookupFailure || error instanceof AppError) return undefined;
      throw error;
    }
  }

  async function lose(domain: Domain, reason: "record_gone" | "no_answer"): Promise<void> {
    const { applied } = await journal.commit({
      statements: [domains.lose(domain, clock.now())],
      jobs: await tellOwners("organization_domain_lost", domain.organizationId, { about: domain.domain }),
      tell: [{ ...domainEvent("organization.domain-lost", domain), by: { actor: "system" } }],
    });
    if (applied)
      log.warn("the proof of a domain is gone", { organization: domain.organizationId, domain: domain.id, reason });
  }

  async function look(domain: Domain): Promise<void> {
    const seen = await isThere(domain);
    const now = clock.now();
    if (seen === false && domain.missed + 1 >= mostMissed) return lose(domain, "record_gone");
    if (seen === undefined && now - (domain.seenAt ?? 0) > mostSilenceMs) return lose(domain, "no_answer");
    const statement = seen === false ? domains.missed(domain, now) : domains.checked(domain, seen === true, now);
    await database.batch([statement], { durable: false });
  }

  return {
    name: "organization:recheck-domains",
    cron: "41 * * * *",
    async run(signal) {
      const before = clock.now() - restMs;
      await inSteps(async (limit) => {
        const due = await domains.due(before, limit);
        for (let at = 0; at < due.length && !signal.aborted; at += atOnce)
          await Promise.all(due.slice(at, at + atOnce).map(look));
        return due.length;
      }, signal);
    },
  };
}
