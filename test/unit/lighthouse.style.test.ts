import { expect, test } from "bun:test";
import { style } from "../../src/inspect/pages/style.ts";
import { eventKinds } from "../../src/observe/timeline.ts";

const [light = "", dark = ""] = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, colours = ""]) => colours);

function colour(scheme: string, name: string): readonly number[] {
  const hex = new RegExp(`--${name}: #([\\da-f]{3,6});`).exec(scheme)?.[1] ?? "";
  const long = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  if (long.length !== 6) throw new Error(`there is no colour ${name}`);
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255);
}

/** WCAG 2.2, relative luminance. */
function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(scheme: string, front: string, back: string): number {
  const [one, other] = [luminance(colour(scheme, front)), luminance(colour(scheme, back))];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const pairs = [
  ...eventKinds.map((kind) => ["card", kind] as const),
  ...(["fine", "refused", "broken"] as const).map((tone) => [tone, `${tone}-back`] as const),
  ...(["front", "soft", "link", "broken"] as const).flatMap((text) => [
    [text, "back"] as const,
    [text, "card"] as const,
  ]),
];

test.each(["light", "dark"])("every text of Lighthouse can be read in the %s (WCAG 1.4.3)", (name) => {
  const scheme = name === "light" ? light : dark;
  const faint = pairs.filter(([front, back]) => contrast(scheme, front, back) < 4.5);
  expect(faint).toEqual([]);
});
