import type { AppIdentity } from "../../config/index.ts";
import type { Terminal } from "../command.ts";
import { ConfigurationError } from "./configuration.error.ts";
import { readSettings, type Settings, type SettingsOptions } from "./environment.ts";

/**
 * Reads the settings for a start, or for a command that checks whether one can succeed: every refusal that a start bases on its environment
 * happens here. Throws ConfigurationError.
 */
export async function readStart(app: AppIdentity, terminal: Terminal, options?: SettingsOptions): Promise<Settings> {
  const settings = readSettings(app, terminal, options);
  const { problems, warnings } = await judgeAtCost(settings);
  if (problems.length > 0) throw new ConfigurationError(problems);
  for (const warning of warnings) settings.log.warn(warning);
  return { ...settings, warnings: [...settings.warnings, ...warnings] };
}

/** Judges settings by code that is slow to load, and so is loaded only when such settings are set. */
async function judgeAtCost({ config, variables }: Pick<Settings, "config" | "variables">) {
  const problems: string[] = [];
  const warnings: string[] = [];
  if (config.auth.cookieDomain !== undefined || config.http.allowedOrigins.length > 0) {
    const { cookieDomainProblems, originWarnings } = await import("../../config/rules/sites.ts");
    problems.push(...cookieDomainProblems(config));
    warnings.push(...originWarnings(config));
  }
  if (config.auth.webauthnRpId !== undefined) {
    const { relyingPartyProblems } = await import("../../config/rules/sites.ts");
    problems.push(...relyingPartyProblems(config));
  }
  if (config.auth.webauthnOrigins.length > 0) {
    const { passkeyOriginProblems, relatedOriginWarnings } = await import("../../config/rules/sites.ts");
    problems.push(...passkeyOriginProblems(config));
    warnings.push(...relatedOriginWarnings(config));
  }
  const { url, otherUrl } = config.app;
  if (config.auth.webauthnRpId === undefined && otherUrl !== undefined && otherUrl.hostname !== url.hostname) {
    const { passkeyWarnings } = await import("../../config/rules/sites.ts");
    warnings.push(...passkeyWarnings(config));
  }
  const { logoPath, fontPath, tokensPath } = config.app;
  if (logoPath !== undefined || fontPath !== undefined || tokensPath !== undefined) {
    const { brandProblems } = await import("../../app/rules/brand.rules.ts");
    const accentIsSet = variables.some(({ name }) => name === "APP_ACCENT_COLOR");
    problems.push(...brandProblems(config, accentIsSet));
  }
  if (config.app.wordsPath !== undefined) {
    const { wordProblems } = await import("../../app/words/rules.ts");
    problems.push(...wordProblems(config));
  }
  if (config.auth.bootstrap !== undefined) {
    const { bootstrapProblems } = await import("../../app/rules/bootstrap.rules.ts");
    problems.push(...(await bootstrapProblems(config)));
  }
  return { problems, warnings };
}
