import { accentOf, type Accent } from "../../../core/text/accent.ts";
import type { Colour, Scheme } from "../../../core/text/colour.ts";
import { lazily } from "../../../core/pace/lazily.ts";
import tokens from "../style/tokens.css" with { type: "text" };

/** The colours of all pages and mails, by the names of their custom properties. */
export const colourNames = [
  "ground",
  "surface",
  "line",
  "edge",
  "text",
  "soft",
  "accent",
  "on-accent",
  "danger",
  "danger-ground",
  "warning",
  "warning-ground",
  "good",
  "good-ground",
] as const;
export type ColourName = (typeof colourNames)[number];

export type Colours = Readonly<Record<ColourName, Colour>>;
export type Palette = Readonly<Record<Scheme, Colours>>;

/** Colours of an operator's own: for each scheme those that differ. */
export type OwnColours = Readonly<Record<Scheme, Partial<Colours>>>;

/** Returns the custom properties of a sheet of ours, in one scheme. What is not said of the dark is as in the light. */
export function propertiesIn(sheet: string, scheme: Scheme): ReadonlyMap<string, string> {
  const blocks = [...sheet.matchAll(/:root \{([^}]*)\}/g)].slice(0, scheme === "light" ? 1 : 2);
  return new Map(
    blocks.flatMap(([, block = ""]) =>
      [...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [name, value] as const),
    ),
  );
}

/** The custom properties of the sheet of tokens: what an operator's take the place of. */
export const ownTokens = lazily((): Readonly<Record<Scheme, ReadonlyMap<string, string>>> => ({
  light: propertiesIn(tokens, "light"),
  dark: propertiesIn(tokens, "dark"),
}));

function ownColours(scheme: Scheme): Colours {
  const values = ownTokens()[scheme];
  const of = (name: ColourName): Colour => values.get(name) ?? "";
  return {
    ground: of("ground"),
    surface: of("surface"),
    line: of("line"),
    edge: of("edge"),
    text: of("text"),
    soft: of("soft"),
    accent: of("accent"),
    "on-accent": of("on-accent"),
    danger: of("danger"),
    "danger-ground": of("danger-ground"),
    warning: of("warning"),
    "warning-ground": of("warning-ground"),
    good: of("good"),
    "good-ground": of("good-ground"),
  };
}

export const ownPalette = lazily((): Palette => ({ light: ownColours("light"), dark: ownColours("dark") }));

export const groundsOf = ({ ground, surface }: Colours): readonly Colour[] => [ground, surface];

/** Puts the colours of an operator in the place of ours. Where theirs give an accent for light pages alone, that of dark pages is derived. */
export function paletteOf(accent: Accent, { light, dark }: OwnColours): Palette {
  const own = ownPalette();
  const grounds = groundsOf({ ...own.dark, ...dark });
  const given = dark.accent ?? (light.accent === undefined ? accent.dark : undefined);
  const { onLight, onDark, ...accents } = accentOf(light.accent ?? accent.light, given, grounds);
  return {
    light: { ...own.light, accent: accents.light, "on-accent": onLight, ...light },
    dark: { ...own.dark, accent: accents.dark, "on-accent": onDark, ...dark },
  };
}
