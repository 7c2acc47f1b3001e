import {
  contrast,
  faintest,
  inFigures,
  nearest,
  readColour,
  textContrast,
  type Colour,
  type Scheme,
} from "./colour.ts";

/** The one colour that marks links, focus and the main button, and the colour of that button's text, in both schemes. */
export interface Accent {
  readonly light: Colour;
  readonly onLight: Colour;
  readonly dark: Colour;
  readonly onDark: Colour;
}

/** Backgrounds of the accent: the ground and the surface of pages and mails, unless an operator has chosen others. */
export const accentGrounds: Readonly<Record<Scheme, readonly Colour[]>> = {
  light: ["#f7f7f5", "#ffffff"],
  dark: ["#121413", "#1a1d1b"],
};
export const defaultAccent = "#0f6b4f,#4cc79b";
const buttonTexts: readonly Colour[] = ["#ffffff", "#0c1a14"];

/**
 * The least contrast of a derived dark accent. It exceeds the required one because thin light text on black seems fainter than it measures.
 */
const derivedContrast = 7;

const buttonText = (accent: Colour): Colour =>
  buttonTexts.toSorted((one, other) => contrast(accent, other) - contrast(accent, one))[0] ?? "#ffffff";

/** Returns the lowest contrast of the accent with anything that it meets, and with what. */
const faintestOf = (accent: Colour, grounds: readonly Colour[]) => faintest(accent, [...grounds, buttonText(accent)]);

const nearestAccent = (accent: Colour, grounds: readonly Colour[], least: number): Colour | undefined =>
  nearest(accent, (colour) => faintestOf(colour, grounds).ratio >= least);

const split = (text: string): readonly string[] => text.split(",").map((part) => part.trim().toLowerCase());

/** Says why a text is no accent: its format is wrong, or it could not be read on the pages. */
export function accentComplaint(text: string): string | undefined {
  const colours = split(text);
  if (colours.length > 2 || !colours.every((colour) => colour.length === 7 && readColour(colour) !== undefined))
    return "must be a colour such as #0f6b4f, or two, of light and dark pages, such as #0f6b4f,#4cc79b";
  const schemes: readonly Scheme[] = ["light", "dark"];
  const faint = colours.flatMap((colour, index) => {
    const scheme = schemes[index] ?? "light";
    const grounds = accentGrounds[scheme];
    const { ratio, against } = faintestOf(colour, grounds);
    if (ratio >= textContrast) return [];
    return [
      `can't be read on ${scheme} pages: ${colour} has a contrast of ${inFigures(ratio)} to ${against}, where text needs ${textContrast}:1; the nearest colour that has it is ${nearestAccent(colour, grounds, textContrast)}`,
    ];
  });
  return faint.length === 0 ? undefined : faint.join("; it ");
}

/** Makes an accent. The colour of dark pages is derived where only one is given. */
export function accentOf(light: Colour, given: Colour | undefined, grounds = accentGrounds.dark): Accent {
  const dark = given ?? nearestAccent(light, grounds, derivedContrast) ?? "#ffffff";
  return { light, onLight: buttonText(light), dark, onDark: buttonText(dark) };
}

/** Reads a text that `accentComplaint` accepts. */
export function readAccent(text: string): Accent {
  const [light = "", dark] = split(text);
  return accentOf(light, dark);
}
