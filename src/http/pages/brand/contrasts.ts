import { contrast, luminance, nearest, textContrast, type Colour, type Scheme } from "../../../core/text/colour.ts";
import type { ColourName, Palette } from "./palette.ts";

interface Pair {
  readonly fronts: readonly ColourName[];
  readonly backs: readonly ColourName[];
  /** The least contrast of the two: WCAG 2.2, 1.4.6 for texts, 1.4.3 for what else is written, 1.4.11 for edges. */
  readonly least: number;
}

const grounds = ["ground", "surface"] as const;
const tones = ["danger", "warning", "good"] as const;

/** Every pair of colours that meets on a page or in a mail, and has to be told apart. */
const pairs: readonly Pair[] = [
  { fronts: ["text"], backs: grounds, least: 7 },
  { fronts: ["soft", "accent", ...tones], backs: grounds, least: textContrast },
  { fronts: ["on-accent"], backs: ["accent"], least: textContrast },
  ...tones.map((tone): Pair => ({ fronts: [tone], backs: [`${tone}-ground`], least: textContrast })),
  { fronts: ["edge"], backs: grounds, least: 3 },
];

/** Two colours of a palette that can't be told apart well enough. */
interface Faint {
  readonly scheme: Scheme;
  readonly front: ColourName;
  readonly back: ColourName;
  readonly ratio: number;
  readonly least: number;
  /** The nearest colour that would do in place of the front's. */
  readonly better: Colour | undefined;
}

/** Lists what could not be read in one scheme of a palette. */
export function faintPairs(palette: Palette, scheme: Scheme): readonly Faint[] {
  const colours = palette[scheme];
  const all = pairs.flatMap(({ fronts, backs, least }) =>
    fronts.flatMap((front) => backs.map((back) => ({ front, back, least }))),
  );
  return all.flatMap(({ front, back, least }) => {
    const ratio = contrast(colours[front], colours[back]);
    if (ratio >= least) return [];
    const met = all.filter((pair) => pair.front === front);
    const fits = (colour: Colour): boolean => met.every((pair) => contrast(colour, colours[pair.back]) >= pair.least);
    return [{ scheme, front, back, ratio, least, better: nearest(colours[front], fits) }];
  });
}

/** Whether the text is darker than its ground on light pages, and lighter on dark ones: what browsers draw themselves goes by the scheme. */
export function isLitAs(scheme: Scheme, { [scheme]: { text, ground } }: Palette): boolean {
  const isDarker = luminance(text) < luminance(ground);
  return isDarker === (scheme === "light");
}
