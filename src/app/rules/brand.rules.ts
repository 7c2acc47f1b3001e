import { isAbsolute } from "node:path";
import { isDeployed, type Config } from "../../config/index.ts";
import { isWrong, type Wrong } from "../../http/pages/brand/file.ts";
import { readFont } from "../../http/pages/brand/font.ts";
import { readPicture } from "../../http/pages/brand/logo.ts";
import { schemesOf } from "../../http/pages/brand/look.ts";
import { paletteOf } from "../../http/pages/brand/palette.ts";
import { coloursIn, readSheet, sheetComplaints } from "../../http/pages/brand/tokens.ts";

/** Returns what is wrong with an operator's sheet of colours. `accentIsSet`: APP_ACCENT_COLOR is given as well. */
function tokenProblems({ accent, theme }: Config["app"], path: string, accentIsSet: boolean): readonly string[] {
  const sheet = readSheet(path);
  if ("problems" in sheet) return sheet.problems;
  const ofAccent = sheet.light.get("accent") ?? sheet.dark.get("accent");
  if (accentIsSet && ofAccent !== undefined)
    return [`line ${ofAccent.line}: --accent and APP_ACCENT_COLOR are both given: keep one`];
  const schemes = schemesOf(theme).filter((scheme) => scheme !== undefined);
  return sheetComplaints(sheet, paletteOf(accent, coloursIn(sheet)), schemes);
}

/** Returns why a start would refuse the files by which an operator has set the looks. */
export function brandProblems(config: Config, accentIsSet: boolean): readonly string[] {
  const { app } = config;
  const problemsOf = (name: string, path: string | undefined, read: (path: string) => object | Wrong | string[]) => {
    if (path === undefined) return [];
    if (isDeployed(config) && !isAbsolute(path)) return [`${name} must be an absolute path`];
    const found = read(path);
    const problems = Array.isArray(found) ? found : isWrong(found) ? [found.wrong] : [];
    return problems.map((problem) => `${name} ${problem}`);
  };
  return [
    ...problemsOf("APP_LOGO_PATH", app.logoPath, readPicture),
    ...problemsOf("APP_LOGO_DARK_PATH", app.logoDarkPath, readPicture),
    ...problemsOf("APP_FONT_PATH", app.fontPath, readFont),
    ...problemsOf("APP_TOKENS_PATH", app.tokensPath, (path) => [...tokenProblems(app, path, accentIsSet)]),
  ];
}
