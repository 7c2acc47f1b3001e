import type { Journal, OrganizationAuth } from "../../auth/index.ts";
import { isPrivateHost } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, invalidFields } from "../../core/errors.ts";
import { FieldFault } from "../../core/fields.ts";
import type { Seal } from "../../core/keys/seal.ts";
import { tryAnew } from "../../core/pace/anew.ts";
import { byOf, type Actor, type Standings } from "../actor.ts";
import type { DomainRepository } from "../domain/domain.repository.ts";
import type { OwnerNotices } from "../owner.notices.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import { owner } from "../roles.ts";
import type { ProviderRepository, ProviderRow } from "./provider.repository.ts";

interface ProviderOptions {
  readonly providers: ProviderRepository;
  readonly domains: Pick<DomainRepository, "list">;
  readonly organizations: Pick<OrganizationRepository, "hold">;
  readonly standingOf: Standings;
  readonly seal: Seal;
  /** Whether providers may be reached without TLS and at private addresses: in local and testing alone. */
  readonly plainHttp: boolean;
  readonly tellOwners: OwnerNotices;
  readonly journal: Journal;
  readonly requireFreshProof: OrganizationAuth["requireFreshProof"];
  readonly clock: Clock;
}

export interface ProviderForm {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly enforced: boolean;
}

/** Says why an issuer can be asked for nothing. Names are looked up, and their addresses judged, with each call. */
export function issuerFault(text: string, plainHttp: boolean): FieldFault | undefined {
  const url = URL.parse(text);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain || !/^https?:$/.test(url.protocol))
    return new FieldFault("invalid_url", "must be the https URL of an issuer, without credentials, query or fragment");
  if (plainHttp) return undefined;
  if (url.protocol !== "https:") return new FieldFault("invalid_url", "must be https");
  return isPrivateHost(url) ? new FieldFault("invalid_url", "must not be at a private address") : undefined;
}

/** The OpenID provider of an organization's own, which its owners set. Each act throws AppError. */
export function createProviders(options: ProviderOptions) {
  const { providers, domains, organizations, standingOf, tellOwners, seal, plainHttp } = options;
  const { journal, requireFreshProof, clock } = options;

  /** An office has proven itself where it came in. */
  async function requireProof(actor: Actor): Promise<void> {
    if (actor.kind === "person") await requireFreshProof(actor.session);
  }

  return {
    /** Returns the provider with its organization; undefined where there is none. */
    async find(actor: Actor, id: string) {
      const { organization } = await standingOf(actor, id, owner);
      return { organization, provider: await providers.find(id) };
    },

    /**
     * Sets the provider, which from then on lets in those below the organization's proven domains: who chooses it holds their accounts.
     * Throws `reauthentication_required` and `domain_required`.
     */
    async put(actor: Actor, id: string, form: ProviderForm): Promise<ProviderRow> {
      await standingOf(actor, id, owner);
      await requireProof(actor);
      const fault = issuerFault(form.issuer, plainHttp);
      if (fault !== undefined) throw invalidFields({ issuer: fault });
      return tryAnew(async () => {
        const { holds } = await standingOf(actor, id, owner);
        if (!(await domains.list(id)).some(({ verifiedAt }) => verifiedAt !== null))
          throw new AppError("domain_required");
        const { issuer, clientId, clientSecret, enforced } = form;
        const row = {
          organizationId: id,
          issuer,
          clientId,
          secret: seal.seal(clientSecret, id),
          enforced: enforced ? 1 : 0,
        };
        const isNew = (await providers.find(id)) === undefined;
        const notice = isNew ? "organization_provider_set" : "organization_provider_changed";
        const done = await journal.commit({
          statements: [organizations.hold(id, 0), ...holds, providers.put(row, clock.now())],
          jobs: await tellOwners(notice, id, { actor }),
          tell: [
            {
              topic: "organization.provider-set",
              payload: { organization_id: id, enforced },
              by: byOf(actor),
            },
          ],
        });
        return done.applied ? providers.find(id) : undefined;
      });
    },

    async remove(actor: Actor, id: string): Promise<void> {
      await standingOf(actor, id, owner);
      await requireProof(actor);
      await tryAnew(async () => {
        const { holds } = await standingOf(actor, id, owner);
        if ((await providers.find(id)) === undefined) throw new AppError("provider_not_found");
        const done = await journal.commit({
          statements: [organizations.hold(id, 0), ...holds, providers.remove(id)],
          jobs: await tellOwners("organization_provider_removed", id, { actor }),
          tell: [{ topic: "organization.provider-removed", payload: { organization_id: id }, by: byOf(actor) }],
        });
        return done.applied || undefined;
      });
    },
  };
}
