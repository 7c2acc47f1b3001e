import { bootstrapProblems, consistencyProblems } from "./consistency.ts";
import { deploymentProblems, productionProblems } from "./deployment.ts";
import { isDeployed, thatHold, type Judged } from "./judged.ts";
import { idpProblems } from "./idp.ts";
import { impersonationProblems } from "./impersonation.ts";
import { oauthProblems } from "./oauth.ts";
import { kitWarnings, wayProblems } from "./ways.ts";
import { postgresProblems, postgresWarnings } from "./drivers/postgres.ts";
import { redisProblems, redisWarnings } from "./drivers/redis.ts";
import { storageProblems, storageWarnings } from "./drivers/storage.ts";
import { passkeyPolicyWarnings, passkeyProblems } from "./passkeys.ts";
import { receiverProblems, receiverWarnings } from "./receivers.ts";
import { addressFamily } from "../../core/address/address.family.ts";
import { hostOf } from "../../core/address/url.parts.ts";
import { holdsInternet } from "./hosts.ts";
import { memoryCaches } from "./drivers/resources.ts";

export { allowedOriginsOf, isDeployed, keepsMails, type SplitRole } from "./judged.ts";

/** Finds faults of a configuration that no single value shows. */
export const ruleProblems = (judged: Judged): readonly string[] => [
  ...(isDeployed(judged.config) ? deploymentProblems(judged) : bootstrapProblems(judged)),
  ...(judged.config.app.env === "production" ? productionProblems(judged) : []),
  ...consistencyProblems(judged),
  ...postgresProblems(judged),
  ...redisProblems(judged),
  ...storageProblems(judged),
  ...oauthProblems(judged),
  ...wayProblems(judged),
  ...idpProblems(judged),
  ...impersonationProblems(judged),
  ...passkeyProblems(judged),
  ...receiverProblems(judged),
];

/** Finds settings that allow a start but that an operator should know about. */
export function ruleWarnings(judged: Judged): readonly string[] {
  const { reader, config, role } = judged;
  if (!isDeployed(config)) return [];
  const { app, auth, cache, http, lighthouse, mail } = config;
  const hasUrl = reader.isSet("APP_URL");
  const servesHttp = role !== "worker" && role !== "scheduler";
  return thatHold([
    ...(role === undefined ? [] : memoryCaches(cache)).map(
      (name) => `${name}=memory is each process's own: roles that run apart don't share it`,
    ),
    hasUrl && app.url.protocol !== "https:" && "APP_URL is not https: cookies and passwords travel in the clear",
    hasUrl &&
      addressFamily(hostOf(app.url)) !== 0 &&
      "APP_URL has an address in place of a name: browsers make no passkeys for it",
    auth.cookieSecure === "false" && "AUTH_COOKIE_SECURE=false sends the session cookies over plain HTTP too",
    mail.driver === "log" && "MAIL_DRIVER=log sends no mail: nobody can reset a password",
    servesHttp &&
      app.url.protocol === "https:" &&
      http.trustedProxies.length === 0 &&
      "APP_URL is https, which only a proxy can serve, and API_TRUSTED_PROXIES names none: all clients count as one address",
    holdsInternet(http.trustedProxies) &&
      "API_TRUSTED_PROXIES trusts large parts of the internet: clients there can choose the address that limits count",
    lighthouse.enabled &&
      !lighthouse.recording &&
      "LIGHTHOUSE_INSPECT_ENABLED without LIGHTHOUSE_SECRET: nothing is recorded, for nobody could read it",
    app.key !== "" && app.key === auth.jwtSecret && "APP_KEY and API_JWT_SECRET_KEY are the same secret",
    ...postgresWarnings(judged),
    ...redisWarnings(config),
    ...storageWarnings(config),
    ...kitWarnings(judged),
    ...passkeyPolicyWarnings(judged),
    ...receiverWarnings(config),
  ]);
}
