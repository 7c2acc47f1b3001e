import { commonStyle, createAsset } from "../../http/pages/style/assets.ts";
import { pagePolicy } from "../../http/pages/policy.ts";
import script from "./script.js" with { type: "text" };
import style from "./style.css" with { type: "text" };
import timeline from "./timeline.css" with { type: "text" };

export const styleAsset = createAsset("/lighthouse/assets/style.css", `${commonStyle}${style}${timeline}`);
export const scriptAsset = createAsset("/lighthouse/assets/script.js", script);

/** The policy of the pages. All parts come from this host, and nothing is inline but the empty icon. */
export const lighthousePolicy = pagePolicy({
  script: "'self'",
  style: "'self'",
  image: "data:",
  connect: "'self'",
  form: "'self'",
});
