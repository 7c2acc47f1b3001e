import type { Chapters } from "../../shared/words.ts";

/** The roles that decide what a member may do, the highest first. */
export const ranks = ["owner", "admin", "member"] as const;
export type Rank = (typeof ranks)[number];

/** Returns the highest of somebody's roles that decides what they may do. Names of an app's own decide nothing here. */
export const rankOf = (roles: readonly string[]): Rank => ranks.find((rank) => roles.includes(rank)) ?? "member";

const isRank = (role: string): role is Rank => ranks.some((rank) => rank === role);

/** Returns the roles that an app has named. */
export const namedIn = (roles: readonly string[]): readonly string[] => roles.filter((role) => !isRank(role));

/** Names what somebody is in an organization: the rank first, and then what an app has named. */
export const rolesInWords = (roles: readonly string[], words: Chapters["organization"]["roles"]): string =>
  [...(roles.some(isRank) ? [words[rankOf(roles)]] : []), ...namedIn(roles)].join(", ");
