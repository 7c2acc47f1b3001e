import { accountStyle, commonStyle, createAsset, entryStyle } from "../http/pages/style/assets.ts";
import passkeyScript from "./proof/passkey.script.js" with { type: "text" };
import script from "./frame/script.js" with { type: "text" };
import style from "./style.css" with { type: "text" };

/** The script of all these pages, which do without it. */
export const kitScript = `${script}${passkeyScript}`;
/** The style of the pages of signed-in people. */
export const kitStyle: string = style;

export const styleAsset = createAsset(
  "/account/assets/kit.css",
  `${commonStyle}${entryStyle}${accountStyle}${kitStyle}`,
);
export const scriptAsset = createAsset("/account/assets/kit.js", kitScript);
