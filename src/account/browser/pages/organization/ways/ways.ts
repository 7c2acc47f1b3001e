import { signal } from "@preact/signals";
import type { OrganizationDomain, OrganizationProvider, OwnOrganization } from "../../../../../client/index.ts";
import { resourcesOf } from "../../../acts/holdings.ts";
import type { Account } from "../../../context.ts";

export type Ways = ReturnType<typeof createWays>;

export interface WaysProps {
  readonly title: string;
  readonly ways: Ways;
}

/** The domains of an organization and its provider, as the reader may see them. */
export function createWays({ client, connection: { heard }, settings }: Account, { id }: Pick<OwnOrganization, "id">) {
  const createResource = resourcesOf({ heard });
  const domains = createResource(
    () => client.listDomains(id),
    (answer): readonly OrganizationDomain[] => answer.domains,
  );
  const provider = createResource(
    () => client.getProvider(id),
    (answer): OrganizationProvider | null => answer.provider,
  );
  const all = (): readonly OrganizationDomain[] => domains.value.value ?? [];
  return {
    id,
    domains,
    provider,
    /** What the last act has brought about at the provider. */
    outcome: signal(""),
    provenCount: (): number => all().filter(({ verified }) => verified).length,
    /** The address that is registered at a provider, whether one is set or not. */
    callback: (): string =>
      provider.value.value?.callback ??
      new URL(`${settings.base}/api/v1/auth/oauth/org-${id}/callback`, location.href).href,
    put(domain: OrganizationDomain): void {
      const others = all().filter((each) => each.id !== domain.id);
      domains.set([...others, domain].toSorted((a, b) => (a.domain < b.domain ? -1 : 1)));
    },
    drop: ({ id: gone }: OrganizationDomain): void => domains.set(all().filter((each) => each.id !== gone)),
  };
}
