import { bootstrapProblems, consistencyProblems } from "./consistency.ts";
import { deploymentProblems } from "./deployment.ts";
import { isDeployed, type Judged } from "./judged.ts";
import { oauthProblems } from "./oauth.ts";
import { productionProblems } from "./production.ts";
import { postgresProblems } from "./drivers/postgres.ts";
import { redisProblems } from "./drivers/redis.ts";
import { storageProblems } from "./drivers/storage.ts";
import { webhookProblems } from "./webhooks.ts";

export { isDeployed, keepsMails, type SplitRole } from "./judged.ts";
export { ruleWarnings } from "./warnings.ts";

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
