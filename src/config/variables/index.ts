import { authVariables } from "./auth/auth.ts";
import { auditVariables, cacheVariables, databaseVariables, eventsVariables } from "./drivers.ts";
import { hookVariables } from "./hooks.ts";
import { lighthouseVariables } from "./lighthouse.ts";
import { maintenanceVariables, metricsVariables, appVariables, httpVariables } from "./service.ts";
import { idpVariables } from "./auth/idp.ts";
import { oauthVariables } from "./auth/oauth.ts";
import { organizationVariables } from "./organizations.ts";
import { redisVariables } from "./redis.ts";
import { storageVariables } from "./storage.ts";
import {
  isNamed,
  isOptional,
  isResources,
  isVariable,
  type Entry,
  type Section,
  type Variable,
} from "./kinds/variable.ts";
import { webhookVariables } from "./webhooks.ts";
import { backupVariables, mailVariables, queueVariables } from "./work.ts";

/**
 * Every variable, at the place of its value in `Config`. The type of `Config`, the reading of the environment, the secrets that the log
 * keeps out and the list that the documents must have all follow from this table.
 */
export const table = {
  app: appVariables,
  http: httpVariables,
  auth: authVariables,
  oauth: oauthVariables,
  idp: idpVariables,
  organizations: organizationVariables,
  database: databaseVariables,
  redis: redisVariables,
  cache: cacheVariables,
  events: eventsVariables,
  audit: auditVariables,
  storage: storageVariables,
  queue: queueVariables,
  backup: backupVariables,
  mail: mailVariables,
  webhooks: webhookVariables,
  hooks: hookVariables,
  maintenance: maintenanceVariables,
  metrics: metricsVariables,
  lighthouse: lighthouseVariables,
} as const satisfies Section;

/** The names of the variables in an entry, as a union of literal types. */
type NameIn<Found> = Found extends Variable
  ? Found["name"]
  : Found extends { readonly section: infer Inner }
    ? NameIn<Inner>
    : Found extends { readonly default: infer Default; readonly named: infer Named }
      ? NameIn<Default> | NameIn<Named>
      : Found extends { readonly each: infer Each }
        ? NameIn<Each>
        : { [Key in keyof Found]: NameIn<Found[Key]> }[keyof Found];

export type VariableName = NameIn<typeof table>;

export function variablesIn(entry: Entry): readonly Variable[] {
  if (isVariable(entry)) return [entry];
  if (isOptional(entry)) return variablesIn(entry.section);
  if (isResources(entry)) return [...variablesIn(entry.default), ...variablesIn(entry.named)];
  if (isNamed(entry)) return variablesIn(entry.each);
  return Object.values(entry).flatMap(variablesIn);
}

/** The variables of the table in a flat list. */
export const variables: readonly Variable[] = variablesIn(table);
