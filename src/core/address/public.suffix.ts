import { getDomain, getPublicSuffix } from "tldts";

// The list of public suffixes is large: import this file where it is needed, and not at the start.

/** Counts private suffixes too, such as github.io, below which hosts of strangers lie side by side: browsers know both kinds. */
const known = { allowPrivateDomains: true } as const;

/** Whether strangers can register names below this one. A name without a dot counts as well. */
export const isPublicSuffix = (domain: string): boolean => getPublicSuffix(domain, known) === domain;

/** Returns the part of a host that somebody can register; null where there is none. */
export const registrableDomain = (host: string): string | null => getDomain(host, known);
