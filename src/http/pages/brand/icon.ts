import type { Colour } from "../../../core/text/colour.ts";

interface IconColours {
  readonly ground: Colour;
  readonly letter: Colour;
}

/** Draws the sign of a product without a picture of its own for the tabs of browsers: its first letter on its accent. */
export function drawIcon(product: string, colours: IconColours): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(product.trim());
  const letter = Bun.escapeHTML((first?.segment ?? "").toLocaleUpperCase("en"));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colours.ground}"/>` +
    `<text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="18" font-weight="600" fill="${colours.letter}">${letter}</text></svg>`
  );
}
