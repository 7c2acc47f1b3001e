/** A colour as `#rrggbb`, in lower case. */
export type Colour = string;

/** How a page is lit: its ground is lighter than its text, or darker. */
export type Scheme = "light" | "dark";

/** The least contrast of text (WCAG 2.2, 1.4.3). */
export const textContrast = 4.5;

/** Reads a colour as style sheets write it in hexadecimal digits, three or six. Undefined for any other text. */
export function readColour(text: string): Colour | undefined {
  if (/^#[\da-f]{6}$/i.test(text)) return text.toLowerCase();
  return /^#[\da-f]{3}$/i.test(text) ? text.toLowerCase().replaceAll(/[\da-f]/g, "$&$&") : undefined;
}

const channelsOf = (colour: Colour): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const gamma = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

/** WCAG 2.2, relative luminance. */
export function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Lightness and the two colour axes of OKLab, in which equal steps look equally large. */
type Lab = readonly [lightness: number, a: number, b: number];

function toLab(colour: Colour): Lab {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map(linear);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Converts OKLab to a colour; undefined where no screen can show it. */
function fromLab([lightness, a, b]: Lab): Colour | undefined {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const parts = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(gamma);
  if (parts.some((part) => part < -0.002 || part > 1.002)) return undefined;
  const bytes = parts.map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the same hue at another lightness, as colourful as screens can show it there. */
function atLightness([, a, b]: Lab, lightness: number): Colour {
  for (let share = 20; share > 0; share -= 1) {
    const colour = fromLab([lightness, (a * share) / 20, (b * share) / 20]);
    if (colour !== undefined) return colour;
  }
  return fromLab([lightness, 0, 0]) ?? (lightness < 0.5 ? "#000000" : "#ffffff");
}

/** Returns the lowest contrast of a colour with any of the others, and with which. */
export function faintest(
  colour: Colour,
  others: readonly Colour[],
): { readonly ratio: number; readonly against: Colour } {
  const pairs = others.map((against) => ({ ratio: contrast(colour, against), against }));
  return pairs.toSorted((one, other) => one.ratio - other.ratio)[0] ?? { ratio: 21, against: colour };
}

const steps = 200;

/** Returns the colour of the same hue and the nearest lightness that fits; undefined where none does. */
export function nearest(colour: Colour, fits: (colour: Colour) => boolean): Colour | undefined {
  if (fits(colour)) return colour;
  const lab = toLab(colour);
  for (let step = 1; step <= steps; step += 1) {
    for (const way of [-1, 1]) {
      const lightness = lab[0] + (way * step) / steps;
      if (lightness < 0 || lightness > 1) continue;
      const other = atLightness(lab, lightness);
      if (fits(other)) return other;
    }
  }
  return undefined;
}

/** Writes a contrast. The figure is truncated, not rounded: 4.49 must not be reported as 4.5. */
export const inFigures = (ratio: number): string => `${Math.floor(ratio * 10) / 10}:1`;
