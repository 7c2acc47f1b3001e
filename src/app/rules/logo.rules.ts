import { isAbsolute } from "node:path";
import { isDeployed, type Config } from "../../config/index.ts";
import { readPicture } from "../../http/pages/brand/logo.ts";

/** Returns why a start would refuse the pictures that APP_LOGO_PATH and APP_LOGO_DARK_PATH name. */
export function logoProblems(config: Config): readonly string[] {
  const { logoPath, logoDarkPath } = config.app;
  const problemsOf = (name: string, path: string | undefined): readonly string[] => {
    if (path === undefined) return [];
    if (isDeployed(config) && !isAbsolute(path)) return [`${name} must be an absolute path`];
    const picture = readPicture(path);
    return "wrong" in picture ? [`${name} ${picture.wrong}`] : [];
  };
  return [...problemsOf("APP_LOGO_PATH", logoPath), ...problemsOf("APP_LOGO_DARK_PATH", logoDarkPath)];
}
