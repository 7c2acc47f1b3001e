/**
 * The OpenID and OAuth providers whose addresses and peculiarities are known here. A list that differs by provider is a record of these.
 */
export const knownProviders = ["github", "google", "microsoft", "apple"] as const;
export type KnownProvider = (typeof knownProviders)[number];

/** The name by which rows know the provider of an organization. A slug may change. */
export const providerOfOrganization = (organizationId: string): string => `org-${organizationId}`;

/** Returns the name by which sign-ins with a provider are counted: those of organizations are one. */
export const countedProvider = (name: string): string => (name.startsWith("org-") ? "organization" : name);

export const isKnownProvider = (name: string): name is KnownProvider => knownProviders.some((known) => known === name);

/** Display names of providers, also for those that are no longer configured. */
export const knownProviderNames: Readonly<Record<KnownProvider, string>> = {
  github: "GitHub",
  google: "Google",
  microsoft: "Microsoft",
  apple: "Apple",
};
