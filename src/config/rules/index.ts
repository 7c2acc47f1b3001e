import { bootstrapProblems, consistencyProblems } from "./consistency.ts";
import { deploymentProblems, productionProblems } from "./deployment.ts";
import { isDeployed, type Judged } from "./judged.ts";
import { oauthProblems } from "./oauth.ts";
import { postgresProblems, postgresWarnings } from "./drivers/postgres.ts";
import { redisProblems, redisWarnings } from "./drivers/redis.ts";
import { storageProblems, storageWarnings } from "./drivers/storage.ts";
import { webhookProblems, webhookWarnings } from "./webhooks.ts";
import { addressFamily } from "../../core/address/address.family.ts";
import { hostOf } from "../../core/address/url.parts.ts";
import { holdsInternet } from "./hosts.ts";
import { memoryCaches } from "./drivers/resources.ts";

export { isDeployed, keepsMails, type SplitRole } from "./judged.ts";

/** Finds faults of a configuration that no single value shows. */
export const ruleProblems = (judged: Judged): readonly string[] => [
  ...(isDeployed(judged.config) ? deploymentProblems(judged) : bootstrapProblems(judged)),
  ...(judged.config.app.env === "production" ? productionProblems(judged) : []),
  ...consistencyProblems(judged),
  ...postgresProblems(judged),
  ...redisProblems(judged),
  ...storageProblems(judged),
  ...oauthProblems(judged),
  ...webhookProblems(judged),
];

/** Finds settings that allow a start but that an operator should know about. */
export function ruleWarnings(judged: Judged): readonly string[] {
  const { reader, config, role } = judged;
  if (!isDeployed(config)) return [];
  const { app, auth, cache, http, lighthouse, mail } = config;
  const warnings: string[] = [];
  for (const name of role === undefined ? [] : memoryCaches(cache))
    warnings.push(`${name}=memory is each process's own: roles that run apart don't share it`);
  if (reader.isSet("APP_URL") && app.url.protocol !== "https:")
    warnings.push("APP_URL is not https: cookies and passwords travel in the clear");
  if (reader.isSet("APP_URL") && addressFamily(hostOf(app.url)) !== 0)
    warnings.push("APP_URL has an address in place of a name: browsers make no passkeys for it");
  if (auth.cookieSecure === "false")
    warnings.push("AUTH_COOKIE_SECURE=false sends the session cookies over plain HTTP too");
  if (mail.driver === "log") warnings.push("MAIL_DRIVER=log sends no mail: nobody can reset a password");
  if (role !== "worker" && role !== "scheduler" && app.url.protocol === "https:" && http.trustedProxies.length === 0)
    warnings.push(
      "APP_URL is https, which only a proxy can serve, and API_TRUSTED_PROXIES names none: all clients count as one address",
    );
  if (holdsInternet(http.trustedProxies))
    warnings.push(
      "API_TRUSTED_PROXIES trusts large parts of the internet: clients there can choose the address that limits count",
    );
  if (lighthouse.enabled && !lighthouse.recording)
    warnings.push(
      "LIGHTHOUSE_INSPECT_ENABLED without LIGHTHOUSE_SECRET: nothing is recorded, for nobody could read it",
    );
  if (app.key !== "" && app.key === auth.jwtSecret) warnings.push("APP_KEY and API_JWT_SECRET_KEY are the same secret");
  warnings.push(
    ...postgresWarnings(judged),
    ...redisWarnings(config),
    ...storageWarnings(config),
    ...webhookWarnings(config),
  );
  return warnings;
}
