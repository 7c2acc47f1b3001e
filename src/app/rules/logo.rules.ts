import { isAbsolute } from "node:path";
import { isDeployed, type Config } from "../../config/index.ts";
import { readLogo } from "../../http/pages/brand/logo.ts";

/** Returns why a start would refuse the picture that APP_LOGO_PATH names. */
export function logoProblems(config: Config): readonly string[] {
  const { logoPath } = config.app;
  if (logoPath === undefined) return [];
  if (isDeployed(config) && !isAbsolute(logoPath)) return ["APP_LOGO_PATH must be an absolute path"];
  const logo = readLogo(logoPath);
  return "wrong" in logo ? [`APP_LOGO_PATH ${logo.wrong}`] : [];
}
