import type { Config } from "../../../config/index.ts";
import { basePath } from "../../../core/address/url.parts.ts";
import { accentStyle, defaultAccent, readAccent } from "../../../core/text/accent.ts";
import type { Module } from "../../../core/module.ts";
import type { Log } from "../../../observe/index.ts";
import { drawIcon } from "./icon.ts";
import { pictureRoutes, readPicture, type Picture } from "./logo.ts";

/** The look of pages and mails that an operator can set without a build. */
export type Brand = ReturnType<typeof createBrand>;

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

const ownStyle = accentStyle(readAccent(defaultAccent));

/**
 * Creates the brand. A start refuses a logo that can't be served; pages leave out one that has become unreadable since, and the log says
 * so.
 */
export function createBrand({ displayName, accent, logoPath, logoDarkPath, ...app }: Config["app"], log: Log) {
  function read(name: string, path: string | undefined): Picture | undefined {
    const picture = path === undefined ? undefined : readPicture(path);
    if (picture === undefined || !("wrong" in picture)) return picture;
    log.error("pages go without a logo", { reason: `${name} ${picture.wrong}` });
    return undefined;
  }
  const logo = read("APP_LOGO_PATH", logoPath);
  const dark = logo && read("APP_LOGO_DARK_PATH", logoDarkPath);
  const base = basePath(app.url);
  const inlined = ({ type, body }: Pick<Picture, "type" | "body">): string =>
    `data:${type};base64,${Buffer.from(body).toString("base64")}`;
  // A word is no sign for a tab: its letters would be too small to read. What is drawn in its place costs a page no request.
  const drawn = (): string => inlined({ type: "image/svg+xml", body: Buffer.from(drawIcon(displayName, accent)) });
  const markWith = (hrefOf: (picture: Picture) => string): Mark => ({
    product: displayName,
    home: app.homeUrl ?? `${base}/`,
    icon: logo === undefined || app.logoHasName ? drawn() : hrefOf(logo),
    ...(logo && {
      logo: { href: hrefOf(logo), ...(dark && { dark: hrefOf(dark) }), hasName: app.logoHasName },
    }),
  });
  const style = accentStyle(accent);
  const module: Module<ReturnType<typeof pictureRoutes>> =
    logo === undefined ? {} : { routes: pictureRoutes(logo, dark) };
  return {
    mark: markWith(({ path }) => `${base}${path}`),
    /** The mark with its pictures in their addresses, for a page that can load nothing. */
    inlineMark: markWith(inlined),
    /** A style sheet that comes after the tokens; empty where the accent is our own. */
    style: style === ownStyle ? "" : style,
    module,
  };
}
