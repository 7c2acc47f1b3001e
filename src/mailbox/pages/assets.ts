import { commonStyle, createAsset } from "../../http/pages/style/assets.ts";
import { pagePolicy } from "../../http/pages/policy.ts";
import style from "./style.css" with { type: "text" };

export const styleAsset = createAsset("/mails/assets/style.css", `${commonStyle}${style}`);

export const mailboxPolicy = pagePolicy({ style: "'self'", image: "data:", frame: "'self'" });
