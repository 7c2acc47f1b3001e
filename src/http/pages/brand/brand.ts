import type { Config } from "../../../config/index.ts";
import { basePath } from "../../../core/address/url.parts.ts";
import type { Module } from "../../../core/module.ts";
import type { Log } from "../../../observe/index.ts";
import { isWrong } from "./file.ts";
import { fileRoutes, inlined, type BrandFile } from "./files.ts";
import type { Font } from "./font.ts";
import { drawIcon } from "./icon.ts";
import { readPicture, type Picture } from "./logo.ts";
import { lookOf, schemesOf } from "./look.ts";
import { mailLookOf } from "./mail.look.ts";
import { paletteOf, type OwnColours } from "./palette.ts";

/** The look of pages and mails that an operator can set without a build. */
export type Brand = Awaited<ReturnType<typeof createBrand>>;

/** What stands at the top of each page: the product, and the way back to it. */
export interface Mark {
  readonly product: string;
  /** The address to which the product leads. */
  readonly home: string;
  /** The address of the picture for the tabs of browsers. */
  readonly icon: string;
  readonly logo?: {
    readonly href: string;
    /** The picture for dark pages; absent where one does for both. */
    readonly dark?: string;
    /** Whether the product's name is part of the picture. */
    readonly hasName: boolean;
  };
}

type Settings = Config["app"];

/** The most bytes of a font that stands in a page: one that has everything in it must not become large. */
const mostInlineFontBytes = 64 * 1024;

/** Reads the files that an operator has named. A start refuses what is wrong with them; what has become so since is left out and logged. */
async function readFiles({ logoPath, logoDarkPath, fontPath, tokensPath }: Settings, log: Log) {
  function orLog<Read extends object>(name: string, read: Read | { readonly wrong: string }): Read | undefined {
    if (!isWrong(read)) return read;
    log.error("pages go without a part of their looks", { reason: `${name} ${read.wrong}` });
    return undefined;
  }
  const picture = (name: string, path: string | undefined): Picture | undefined =>
    path === undefined ? undefined : orLog(name, readPicture(path));
  const logo = picture("APP_LOGO_PATH", logoPath);
  // What few have is loaded by those alone.
  const fontOf = async (path: string): Promise<Font | undefined> =>
    orLog("APP_FONT_PATH", (await import("./font.ts")).readFont(path));
  const coloursOf = async (path: string): Promise<OwnColours | undefined> =>
    orLog("APP_TOKENS_PATH", (await import("./tokens.ts")).readColours(path));
  const font = fontPath === undefined ? undefined : await fontOf(fontPath);
  const colours = tokensPath === undefined ? undefined : await coloursOf(tokensPath);
  return { logo, dark: logo && picture("APP_LOGO_DARK_PATH", logoDarkPath), font, colours };
}

/** Creates the brand. */
export async function createBrand(app: Settings, log: Log) {
  const { displayName, accent, theme, radius, logoHasName: hasName } = app;
  const { logo, dark, font, colours } = await readFiles(app, log);
  const palette = paletteOf(accent, colours ?? { light: {}, dark: {} });
  const [scheme, other] = schemesOf(theme);
  const base = basePath(app.url);
  const { accent: ground, "on-accent": letter } = palette[scheme];
  // A word is no sign for a tab: its letters would be too small to read. What is drawn in its place costs a page no request.
  const drawn = (): string =>
    inlined({ type: "image/svg+xml", body: new TextEncoder().encode(drawIcon(displayName, { ground, letter })) });
  const shown = scheme === "dark" ? (dark ?? logo) : logo;
  const markWith = (hrefOf: (picture: Picture) => string): Mark => ({
    product: displayName,
    home: app.homeUrl ?? `${base}/`,
    icon: shown === undefined || hasName ? drawn() : hrefOf(shown),
    ...(shown && { logo: { href: hrefOf(shown), ...(other && dark && { dark: hrefOf(dark) }), hasName } }),
  });
  const addressOf = ({ path }: BrandFile): string => `${base}${path}`;
  const fontIn = (source: "'self'" | "data:") =>
    font && { href: source === "data:" ? inlined(font) : addressOf(font), weight: font.weight, source };
  const isSmall = font !== undefined && font.body.length <= mostInlineFontBytes;
  const files = [logo, dark, font].filter((file) => file !== undefined);
  const module: Module<ReturnType<typeof fileRoutes>> = files.length === 0 ? {} : { routes: fileRoutes(files) };
  return {
    mark: markWith(addressOf),
    look: lookOf({ palette, theme, radius, font: fontIn("'self'") }),
    /** For a page that can load nothing: whatever it shows stands in it, and a large font is left out. */
    alone: {
      mark: markWith(inlined),
      look: lookOf({ palette, theme, radius, font: isSmall ? fontIn("data:") : undefined }),
    },
    mail: mailLookOf({ palette, theme, radius, logo, dark, hasName, host: app.url.hostname }),
    palette,
    theme,
    module,
  };
}
