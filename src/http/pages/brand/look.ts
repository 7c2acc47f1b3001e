import type { Config } from "../../../config/index.ts";
import type { Scheme } from "../../../core/text/colour.ts";
import { hashSource } from "../policy.ts";
import { colourNames, ownPalette, ownTokens, type ColourName, type Palette } from "./palette.ts";

export type Theme = Config["app"]["theme"];

/** What an operator has chosen of the looks of pages, as each page needs it. */
export interface Look {
  /** A style sheet that comes after the tokens; empty where nothing differs from them. */
  readonly style: string;
  /** The schemes that the page has, as `color-scheme` says them. */
  readonly schemes: string;
  /** The address of the operator's font. */
  readonly font?: string;
  /** The sources that the policy of a page has to allow. */
  readonly sources: { readonly style: string; readonly font?: string };
}

/** The schemes that pages and mails have, the first of them where a program knows no other. */
export const schemesOf = (theme: Theme): readonly [Scheme, Scheme?] => (theme === "auto" ? ["light", "dark"] : [theme]);

/** `only` keeps browsers and mail programs from turning light into dark by themselves. */
export const inWords = (theme: Theme): string => (theme === "auto" ? "light dark" : `only ${theme}`);

/** Corners in pixels. Those of cards are half as large again as those of the controls in them, and those of tags smaller. */
export const cornersOf = (radius: number) => ({
  control: radius,
  card: Math.min(24, Math.round(radius * 1.5)),
  tag: Math.round(radius * 0.75),
});

const usualRadius = 8;

/** Colours that differ from those of the tokens, in both schemes: a value for light pages alone would hold on dark ones, too. */
function coloursOf(palette: Palette): string {
  const own = ownPalette();
  const changed = colourNames.filter((name) => ["light", "dark"].some((scheme) => differs(name, scheme)));
  function differs(name: ColourName, scheme: string): boolean {
    return scheme === "light" ? palette.light[name] !== own.light[name] : palette.dark[name] !== own.dark[name];
  }
  if (changed.length === 0) return "";
  const inScheme = (scheme: Scheme): string =>
    `:root{${changed.map((name) => `--${name}:${palette[scheme][name]}`).join(";")}}`;
  return `${inScheme("light")}@media (prefers-color-scheme:dark){${inScheme("dark")}}`;
}

/** All colours of the one scheme that pages have, whatever the device is set to. */
function oneScheme(palette: Palette, scheme: Scheme): string {
  const colours = colourNames.map((name) => `--${name}:${palette[scheme][name]}`).join(";");
  return `:root{color-scheme:${inWords(scheme)};${colours};--shadow:${ownTokens()[scheme].get("shadow") ?? ""}}`;
}

function cornersStyle(radius: number): string {
  if (radius === usualRadius) return "";
  const { control, card, tag } = cornersOf(radius);
  const rem = (pixels: number): string => `${pixels / 16}rem`;
  return `:root{--control-corner:${rem(control)};--card-corner:${rem(card)};--tag-corner:${rem(tag)}}`;
}

/** A text is shown in the system's font until the operator's has come. */
const fontStyle = (href: string, weight: string): string =>
  `@font-face{font-family:"Brand";src:url("${href}") format("woff2");font-weight:${weight};font-display:swap}` +
  `:root{--family:"Brand",${ownTokens().light.get("family") ?? ""}}`;

interface LookOptions {
  readonly palette: Palette;
  readonly theme: Theme;
  readonly radius: number;
  /** `source` is where the font comes from, in the words of a policy. */
  readonly font?: { readonly href: string; readonly weight: string; readonly source: string } | undefined;
}

export function lookOf({ palette, theme, radius, font }: LookOptions): Look {
  const style = [
    theme === "auto" ? coloursOf(palette) : oneScheme(palette, theme),
    cornersStyle(radius),
    font === undefined ? "" : fontStyle(font.href, font.weight),
  ].join("");
  return withStyle({ schemes: inWords(theme), ...(font && { font: font.href }) }, style, font && { font: font.source });
}

function withStyle(
  look: Omit<Look, "style" | "sources">,
  style: string,
  sources: { readonly font?: string } = {},
): Look {
  return {
    ...look,
    style,
    sources: { ...sources, style: style === "" ? "'self'" : `'self' ${hashSource(style)}` },
  };
}

/** Adds to the style, for pages that have colours of their own. */
export const extended = ({ style, sources, ...look }: Look, more: string): Look =>
  withStyle(look, `${style}${more}`, sources);
