import type { Look } from "../../http/pages/brand/look.ts";
import { commonStyle, createAsset, entryStyle } from "../../http/pages/style/assets.ts";
import { pagePolicy } from "../../http/pages/policy.ts";
import consoleStyle from "../console/style.css" with { type: "text" };
import invitations from "../invitations/style.css" with { type: "text" };
import organizations from "../organizations/style.css" with { type: "text" };
import people from "../people/style.css" with { type: "text" };
import passkeys from "../way.in/passkey.script.js" with { type: "text" };
import script from "./script.js" with { type: "text" };
import style from "./style.css" with { type: "text" };
import twoStep from "../way.in/two.step/style.css" with { type: "text" };

export const styleAsset = createAsset(
  "/assets/style.css",
  `${commonStyle}${entryStyle}${style}${people}${invitations}${organizations}${twoStep}${consoleStyle}`,
);
export const scriptAsset = createAsset("/assets/script.js", `${script}${passkeys}`);

/** Returns the policy of the pages. All parts come from this host, and nothing is inline but what an operator has chosen. */
export const staffPolicy = ({ sources }: Look): string =>
  pagePolicy({
    ...sources,
    script: "'self'",
    image: "'self' data:",
    connect: "'self'",
    form: "'self'",
  });
