import type { Look } from "../../http/pages/brand/look.ts";
import { commonStyle, createAsset, entryStyle } from "../../http/pages/style/assets.ts";
import { pagePolicy } from "../../http/pages/policy.ts";
import { kitScript, kitStyle } from "../../kit/index.ts";
import consoleStyle from "../console/style.css" with { type: "text" };
import invitations from "../invitations/style.css" with { type: "text" };
import organizations from "../organizations/style.css" with { type: "text" };
import people from "../people/style.css" with { type: "text" };
import style from "./style.css" with { type: "text" };

export const styleAsset = createAsset(
  "/assets/style.css",
  `${commonStyle}${entryStyle}${style}${people}${invitations}${organizations}${kitStyle}${consoleStyle}`,
);
export const scriptAsset = createAsset("/assets/script.js", kitScript);

/**
 * Returns the policy of the pages. All parts come from this host, and nothing is inline but what an operator has chosen. `leadsTo` is the other
 * app, where a form leads there: browsers follow the redirect of a form only to what is named here.
 */
export const staffPolicy = ({ sources }: Look, leadsTo: URL | undefined): string =>
  pagePolicy({
    ...sources,
    script: "'self'",
    image: "'self' data:",
    connect: "'self'",
    frame: "'self'",
    form: leadsTo === undefined ? "'self'" : `'self' ${leadsTo.origin}`,
  });
