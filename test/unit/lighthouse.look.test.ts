import { describe, expect, test } from "bun:test";
import { contrast, type Colour, type Scheme } from "../../src/core/text/colour.ts";
import { defaultAccent, readAccent } from "../../src/core/text/accent.ts";
import { lookOf, type Theme } from "../../src/http/pages/brand/look.ts";
import { groundsOf, paletteOf, type OwnColours } from "../../src/http/pages/brand/palette.ts";
import { render } from "../../src/http/pages/jsx-runtime.ts";
import { lighthouseLook } from "../../src/inspect/pages/assets.ts";
import { eventKinds } from "../../src/observe/timeline.ts";

const cream: OwnColours = { light: { ground: "#e8e0d0", surface: "#f2ead9" }, dark: { ground: "#2a2a33" } };
const none: OwnColours = { light: {}, dark: {} };

function lookWith(colours: OwnColours, theme: Theme) {
  const palette = paletteOf(readAccent(defaultAccent), colours);
  const { style, policy } = lighthouseLook({ palette, theme, look: lookOf({ palette, theme, radius: 8 }) });
  return { palette, policy, style: render(style) };
}

const inTheDark = /@media[^{]*\{(:root\{[^}]*\})\}/g;

/** Returns the colour of a kind, in the light or in the dark. */
function colourOf(kind: string, style: string, scheme: Scheme): Colour {
  const dark = [...style.matchAll(inTheDark)].map(([, block]) => block).join("");
  const text = scheme === "dark" ? dark : style.replaceAll(inTheDark, "");
  const colour = new RegExp(`--${kind}:(#[\\da-f]{6})`).exec(text)?.[1];
  if (colour === undefined) throw new Error(`${kind} has no colour on ${scheme} pages`);
  return colour;
}

describe("the kinds of events in Lighthouse", () => {
  test("keep their colours where those can be read", () => {
    expect(lookWith(none, "auto").style).not.toContain("<style>");
  });

  test.each(["light", "dark"] as const)("A-13 can be read on the grounds that an operator has chosen: %s", (scheme) => {
    const { style, palette } = lookWith(cream, "auto");
    const faint = eventKinds.filter((kind) =>
      groundsOf(palette[scheme]).some((ground) => contrast(colourOf(kind, style, scheme), ground) < 4.5),
    );
    expect(faint).toEqual([]);
  });

  test.each(["light", "dark"] as const)("are those of the one scheme that pages have: %s", (theme) => {
    const { style, palette } = lookWith(none, theme);
    expect(style).not.toContain("@media");
    expect(style).toContain(`--ground:${palette[theme].ground}`);
    expect(style).toContain(`--query:${theme === "light" ? "#3b63a8" : "#86aef0"}`);
  });

  test("are in the style that the policy allows, by its hash", () => {
    const { style, policy } = lookWith(cream, "auto");
    const [, sheet = ""] = /<style>(.*?)<\/style>/s.exec(style) ?? [];
    const hash = new Bun.CryptoHasher("sha256").update(sheet).digest("base64");
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}'`);
  });
});
