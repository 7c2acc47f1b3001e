const segment = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
/** A name without a category, as `bun run make` writes it: `SyncReports` becomes `syncreports`. */
const compact = "[a-z][a-z0-9]*";
/** Patterns of the names that operators meet in command lines, variables, log lines and tables. */
const rules = {
  /** `category:action`. Verbs that start a role or the migrations stand alone (`api`, `migrate`). */
  command: new RegExp(`^${segment}(?::${segment})?$`),
  job: new RegExp(`^(?:${segment}:${segment}|${compact})$`),
  schedule: new RegExp(`^(?:${segment}:${segment}|${compact})$`),
  topic: new RegExp(`^(?:${segment}(?:\\.${segment})+|${compact})$`),
  /** A name whose words become the middle of a variable: `user-profiles` → CACHE_USER_PROFILES_DRIVER. */
  resource: new RegExp(`^${segment}$`),
  /** A name that stands in routes, and whose words become the middle of a variable: `acme-login` → AUTH_OIDC_ACME_LOGIN_ISSUER. */
  provider: new RegExp(`^${segment}$`),
  role: /^[a-z][a-z0-9-]{0,31}$/,
  service: new RegExp(`^${segment}$`),
  /** The name of a program, for people: words without invisible characters, which could make one name look like another. */
  client: /^[^\s\p{C}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\s\p{C}])?$/u,
  /** A name whose words become the middle of a variable: `billing-system` → WEBHOOK_BILLING_SYSTEM_URL. */
  webhook: new RegExp(`^${segment}$`),
  hook: new RegExp(`^${segment}$`),
  /** A route parameter without its colon: `id`, `user_id`. */
  parameter: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
} as const;

export type NameKind = keyof typeof rules;

/** The prefix of the queues of webhooks. No configured queue has such a name, and their jobs hold ids alone. */
export const webhookQueuePrefix = "webhook-";
/** The queue of messages to programs whose sessions have ended. No webhook has such a name, which begins with a letter. */
export const logoutQueue = `${webhookQueuePrefix}0-logout`;

/** Fills a resource's name into the name of a variable: CACHE_<NAME>_DRIVER and `user-profiles` make CACHE_USER_PROFILES_DRIVER. */
export const variableOf = (name: string, resource: string): string =>
  name.replace("<NAME>", resource.toUpperCase().replaceAll("-", "_"));

/** A bound on names, which are stored in rows, metric labels and log lines. */
export const maxNameLength = 64;

export const isName = (kind: NameKind, name: string): boolean => name.length <= maxNameLength && rules[kind].test(name);

/** Returns the convention of a kind of name as a regular expression, for schemas. */
export const namePattern = (kind: NameKind): string => rules[kind].source;

/** Throws when a name breaks its convention or is already taken: either stops the start. */
export function registerName(kind: NameKind, name: string, taken: { has(name: string): boolean }): void {
  if (name.length > maxNameLength) throw new Error(`${kind} name "${name}" is longer than ${maxNameLength} characters`);
  if (!isName(kind, name)) throw new Error(`${kind} name "${name}" does not match ${rules[kind].source}`);
  if (taken.has(name)) throw new Error(`${kind} name "${name}" is registered twice`);
}
