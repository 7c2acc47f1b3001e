import { contrast, nearest, textContrast, type Scheme } from "../../core/text/colour.ts";
import type { Brand } from "../../http/pages/brand/brand.ts";
import { extended, schemesOf } from "../../http/pages/brand/look.ts";
import { groundsOf, propertiesIn } from "../../http/pages/brand/palette.ts";
import { PageStyle } from "../../http/pages/document.tsx";
import { commonStyle, createAsset } from "../../http/pages/style/assets.ts";
import { pagePolicy } from "../../http/pages/policy.ts";
import script from "./script.js" with { type: "text" };
import style from "./style.css" with { type: "text" };
import timeline from "./timeline.css" with { type: "text" };

export const styleAsset = createAsset("/lighthouse/assets/style.css", `${commonStyle}${style}${timeline}`);
export const scriptAsset = createAsset("/lighthouse/assets/script.js", script);

/**
 * Returns the colours of the kinds of events as they can be read on the grounds of the brand: the nearest ones. Empty where ours do, and
 * pages have both schemes.
 */
function kindStyle({ palette, theme }: Pick<Brand, "palette" | "theme">): string {
  const [first, second] = schemesOf(theme).map((scheme) => scheme && readableKinds(scheme));
  function readableKinds(scheme: Scheme) {
    const grounds = groundsOf(palette[scheme]);
    const kinds = [...propertiesIn(timeline, scheme)].map(([name, colour]) => {
      const readable = nearest(colour, (each) => grounds.every((ground) => contrast(each, ground) >= textContrast));
      return { name, colour, readable: readable ?? palette[scheme].text };
    });
    return {
      isOurs: kinds.every(({ colour, readable }) => colour === readable),
      style: `:root{${kinds.map(({ name, readable }) => `--${name}:${readable}`).join(";")}}`,
    };
  }
  if (first === undefined || (second !== undefined && first.isOurs && second.isOurs)) return "";
  return second === undefined ? first.style : `${first.style}@media (prefers-color-scheme:dark){${second.style}}`;
}

export type LighthouseLook = ReturnType<typeof lighthouseLook>;

/** The looks of the pages. All parts come from this host, and nothing is inline but what an operator has chosen, and the empty icon. */
export function lighthouseLook(brand: Pick<Brand, "look" | "palette" | "theme">) {
  const look = extended(brand.look, kindStyle(brand));
  return {
    style: PageStyle({ href: styleAsset.href, look }),
    schemes: look.schemes,
    policy: pagePolicy({ ...look.sources, script: "'self'", image: "data:", connect: "'self'", form: "'self'" }),
  };
}
