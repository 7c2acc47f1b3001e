export type { Config, OAuthConfig } from "./config.ts";
export { resolveEnvironment } from "./environment/environment.ts";
export type { Origin } from "./environment/secret.sources.ts";
export { loadConfig, type LoadOptions } from "./load.ts";
export { isDeployed, keepsMails, type SplitRole } from "./rules/index.ts";
export { writtenValue } from "./reader.ts";
export { secretValues } from "./secret.values.ts";
export { variables } from "./variables/index.ts";
export type { AppIdentity, AppName } from "./variables/variable.ts";
