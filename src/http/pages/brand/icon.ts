import type { Colour } from "../../../core/text/colour.ts";

interface IconColours {
  readonly ground: Colour;
  readonly letter: Colour;
}

/** Returns what a reader takes for the first letter. Of plain letters that is known without the runtime's tables, which take a start 2 ms. */
function firstLetter(text: string): string {
  const plain = /^([\x20-\x7e])(?:[\x20-\x7e]|$)/.exec(text)?.[1];
  if (plain !== undefined) return plain;
  const [first] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  return first?.segment ?? "";
}

/** Draws the sign of a product without a picture of its own for the tabs of browsers: its first letter on its accent. */
export function drawIcon(product: string, colours: IconColours): string {
  const letter = Bun.escapeHTML(firstLetter(product.trim()).toLocaleUpperCase("en"));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colours.ground}"/>` +
    `<text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="18" font-weight="600" fill="${colours.letter}">${letter}</text></svg>`
  );
}
