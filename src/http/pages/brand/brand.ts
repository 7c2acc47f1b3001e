import type { Config } from "../../../config/index.ts";
import { accentStyle, defaultAccent, readAccent } from "../../../core/text/accent.ts";
import type { Module } from "../../../core/module.ts";
import type { Log } from "../../../observe/index.ts";
import { logoRoutes, readLogo } from "./logo.ts";

export type Brand = ReturnType<typeof createBrand>;

const ownStyle = accentStyle(readAccent(defaultAccent));

/**
 * Creates the look of pages and mails that an operator can set without a build. A start refuses a logo that can't be served; pages leave out one that has become unreadable since, and the log says
 * so.
 */
export function createBrand({ displayName, accent, logoPath }: Config["app"], log: Log) {
  const read = logoPath === undefined ? undefined : readLogo(logoPath);
  if (read !== undefined && "wrong" in read)
    log.error("pages go without a logo", { reason: `APP_LOGO_PATH ${read.wrong}` });
  const logo = read === undefined || "wrong" in read ? undefined : read;
  const style = accentStyle(accent);
  const module: Module<ReturnType<typeof logoRoutes>> = logo === undefined ? {} : { routes: logoRoutes(logo) };
  // The style sheet comes after the tokens, and is empty where the accent is our own.
  return { product: displayName, style: style === ownStyle ? "" : style, logo, module };
}
