import type { Config } from "../../../config/index.ts";
import { accentStyle, defaultAccent, readAccent } from "../../../core/text/accent.ts";
import type { Module } from "../../../core/module.ts";
import type { Log } from "../../../observe/index.ts";
import { logoRoutes, readLogo, type Logo } from "./logo.ts";

/** The look of pages and mails that an operator can set without a build. */
export interface Brand {
  readonly product: string;
  /** A style sheet that comes after the tokens; empty where the accent is our own. */
  readonly style: string;
  readonly logo: Logo | undefined;
  readonly module: Module<ReturnType<typeof logoRoutes>>;
}

const ownStyle = accentStyle(readAccent(defaultAccent));

/**
 * Creates the brand. A start refuses a logo that can't be served; pages leave out one that has become unreadable since, and the log says
 * so.
 */
export function createBrand({ displayName, accent, logoPath }: Config["app"], log: Log): Brand {
  const read = logoPath === undefined ? undefined : readLogo(logoPath);
  if (read !== undefined && "wrong" in read)
    log.error("pages go without a logo", { reason: `APP_LOGO_PATH ${read.wrong}` });
  const logo = read === undefined || "wrong" in read ? undefined : read;
  const style = accentStyle(accent);
  return {
    product: displayName,
    style: style === ownStyle ? "" : style,
    logo,
    module: logo === undefined ? {} : { routes: logoRoutes(logo) },
  };
}
