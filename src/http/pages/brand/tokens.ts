import { inFigures, type Scheme } from "../../../core/text/colour.ts";
import { decodeUtf8 } from "../../../core/text/text.ts";
import { faintPairs, isLitAs } from "./contrasts.ts";
import { isWrong, readSmallFile, type Wrong } from "./file.ts";
import type { ColourName, Colours, OwnColours, Palette } from "./palette.ts";
import { readTokenSheet, type TokenSheet } from "./token.sheet.ts";

const mostKib = 16;

const valuesOf = (declared: TokenSheet[Scheme]): Partial<Colours> =>
  Object.fromEntries([...declared].map(([name, { value }]) => [name, value]));

/** Returns the colours of a sheet, for a palette. */
export const coloursIn = ({ light, dark }: TokenSheet): OwnColours => ({
  light: valuesOf(light),
  dark: valuesOf(dark),
});

/** Reads an operator's sheet of colours, or says everything that is wrong with it. */
export function readSheet(path: string): TokenSheet | { readonly problems: readonly string[] } {
  const bytes = readSmallFile(path, mostKib);
  if (isWrong(bytes)) return { problems: [bytes.wrong] };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { problems: ["must be a style sheet in UTF-8"] };
  const sheet = readTokenSheet(text);
  return "light" in sheet ? sheet : { problems: sheet };
}

export function readColours(path: string): OwnColours | Wrong {
  const sheet = readSheet(path);
  return "problems" in sheet ? { wrong: sheet.problems.join("; ") } : coloursIn(sheet);
}

/** Says what could not be read in the schemes that pages have, once the colours of the sheet are in their place. */
export function sheetComplaints(sheet: TokenSheet, palette: Palette, schemes: readonly Scheme[]): readonly string[] {
  return schemes.flatMap((scheme) => {
    // Whatever is wrong came with a line of the sheet: our own colours go together.
    const lineOf = (...names: readonly ColourName[]): string => {
      const line = names.map((name) => sheet[scheme].get(name)?.line ?? sheet.light.get(name)?.line);
      return `line ${line.find((each) => each !== undefined)}`;
    };
    const faint = faintPairs(palette, scheme).map(({ front, back, ratio, least, better }) => {
      const [one, other] = [palette[scheme][front], palette[scheme][back]];
      const found = `--${front} ${one} has a contrast of ${inFigures(ratio)} to --${back} ${other}`;
      const way = better === undefined ? "" : `; the nearest colour that has it is ${better}`;
      return `${lineOf(front, back)}: on ${scheme} pages ${found}, where ${least}:1 is needed${way}`;
    });
    if (isLitAs(scheme, palette)) return faint;
    const than = scheme === "light" ? "darker" : "lighter";
    const place =
      scheme === "light" ? "colours of dark pages stand in @media (prefers-color-scheme: dark)" : "those stand outside";
    return [`${lineOf("ground", "text")}: on ${scheme} pages --ground is ${than} than --text: ${place}`, ...faint];
  });
}
