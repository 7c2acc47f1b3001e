/** A colour as `#rrggbb`, in lower case. */
type Colour = string;

/** The one colour that marks links, focus and the main button, and the colour of that button's text, in both schemes. */
export interface Accent {
  readonly light: Colour;
  readonly onLight: Colour;
  readonly dark: Colour;
  readonly onDark: Colour;
}

type Scheme = "light" | "dark";

/** Backgrounds of the accent: the ground and the surface of pages and mails. */
export const accentGrounds: Readonly<Record<Scheme, readonly Colour[]>> = {
  light: ["#f7f7f5", "#ffffff"],
  dark: ["#121413", "#1a1d1b"],
};
export const defaultAccent = "#0f6b4f,#4cc79b";
const buttonTexts: readonly Colour[] = ["#ffffff", "#0c1a14"];

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;
/**
 * The least contrast of a derived dark accent. It exceeds the required one because thin light text on black seems fainter than it measures.
 */
const derivedContrast = 7;

const form = /^#[\da-f]{6}$/;

const channelsOf = (colour: Colour): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const gamma = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

/** WCAG 2.2, relative luminance. */
function luminance(colour: Colour): number {
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

const buttonText = (accent: Colour): Colour =>
  buttonTexts.toSorted((one, other) => contrast(accent, other) - contrast(accent, one))[0] ?? "#ffffff";

/** Returns the lowest contrast of the accent with anything that it meets, and with what. */
function faintest(accent: Colour, scheme: Scheme): { readonly ratio: number; readonly against: Colour } {
  const pairs = [...accentGrounds[scheme], buttonText(accent)].map((against) => ({
    ratio: contrast(accent, against),
    against,
  }));
  return pairs.toSorted((one, other) => one.ratio - other.ratio)[0] ?? { ratio: 1, against: accent };
}

const steps = 200;

/** Returns the colour of the same hue and the nearest lightness that has enough contrast in that scheme. */
function nearest(accent: Colour, scheme: Scheme, least: number): Colour {
  const lab = toLab(accent);
  if (faintest(accent, scheme).ratio >= least) return accent;
  for (let step = 1; step <= steps; step += 1) {
    for (const way of [-1, 1]) {
      const lightness = lab[0] + (way * step) / steps;
      if (lightness < 0 || lightness > 1) continue;
      const colour = atLightness(lab, lightness);
      if (faintest(colour, scheme).ratio >= least) return colour;
    }
  }
  return scheme === "light" ? "#000000" : "#ffffff";
}

const split = (text: string): readonly string[] => text.split(",").map((part) => part.trim().toLowerCase());

/** Says why a text is no accent: its format is wrong, or it could not be read on the pages. */
export function accentComplaint(text: string): string | undefined {
  const colours = split(text);
  if (colours.length > 2 || !colours.every((colour) => form.test(colour)))
    return "must be a colour such as #0f6b4f, or two, of light and dark pages, such as #0f6b4f,#4cc79b";
  const schemes: readonly Scheme[] = ["light", "dark"];
  const faint = colours.flatMap((colour, index) => {
    const scheme = schemes[index] ?? "light";
    const { ratio, against } = faintest(colour, scheme);
    if (ratio >= leastContrast) return [];
    // The figure is truncated, not rounded: 4.49 must not be reported as 4.5.
    const figure = Math.floor(ratio * 10) / 10;
    return [
      `can't be read on ${scheme} pages: ${colour} has a contrast of ${figure}:1 to ${against}, where text needs ${leastContrast}:1; the nearest colour that has it is ${nearest(colour, scheme, leastContrast)}`,
    ];
  });
  return faint.length === 0 ? undefined : faint.join("; it ");
}

/** Reads a text that `accentComplaint` accepts. The colour of dark pages is derived where only one is given. */
export function readAccent(text: string): Accent {
  const [light = "", given] = split(text);
  const dark = given ?? nearest(light, "dark", derivedContrast);
  return { light, onLight: buttonText(light), dark, onDark: buttonText(dark) };
}

/** Style sheet with the accent's properties for both schemes. It must follow the tokens. */
export const accentStyle = ({ light, onLight, dark, onDark }: Accent): string =>
  `:root{--accent:${light};--on-accent:${onLight}}@media (prefers-color-scheme:dark){:root{--accent:${dark};--on-accent:${onDark}}}`;
