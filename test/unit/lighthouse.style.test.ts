import { describe, expect, test } from "bun:test";
import base from "../../src/http/pages/style/base.css" with { type: "text" };
import lists from "../../src/http/pages/style/lists.css" with { type: "text" };
import parts from "../../src/http/pages/style/parts.css" with { type: "text" };
import tokens from "../../src/http/pages/style/tokens.css" with { type: "text" };
import list from "../../src/inspect/pages/style.css" with { type: "text" };
import timeline from "../../src/inspect/pages/timeline.css" with { type: "text" };
import entry from "../../src/http/pages/style/entry.css" with { type: "text" };
import { eventKinds } from "../../src/observe/timeline.ts";

type Sheet = string;
type Scheme = "light" | "dark";

/** Returns the values that a sheet gives its properties in the light or in the dark. */
function valuesOf(sheet: Sheet, scheme: Scheme): string {
  const [light = "", dark = ""] = [...sheet.matchAll(/:root \{([^}]*)\}/g)].map(([, values = ""]) => values);
  return scheme === "light" ? light : dark;
}

function colour(scheme: Scheme, name: string): readonly number[] {
  const values = `${valuesOf(tokens, scheme)}${valuesOf(timeline, scheme)}`;
  const hex = new RegExp(`--${name}: #([\\da-f]{6});`).exec(values)?.[1];
  if (hex === undefined) throw new Error(`there is no colour ${name} in the ${scheme}`);
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
}

/** Returns the relative luminance of WCAG 2.2. */
function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(scheme: Scheme, front: string, back: string): number {
  const [one, other] = [luminance(colour(scheme, front)), luminance(colour(scheme, back))];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const grounds = ["ground", "surface"] as const;
const onGrounds = (...fronts: readonly string[]) => fronts.flatMap((front) => grounds.map((back) => [front, back]));
const tones = ["good", "warning", "danger"] as const;

describe.each(["light", "dark"] as const)("in the %s", (scheme) => {
  const faint = (pairs: readonly (readonly string[])[], least: number): readonly (readonly string[])[] =>
    pairs.filter(([front = "", back = ""]) => contrast(scheme, front, back) < least);

  test("the text of every page can be read with ease (WCAG 1.4.6)", () => {
    expect(faint(onGrounds("text"), 7)).toEqual([]);
  });

  test("whatever else is written can be read (WCAG 1.4.3)", () => {
    expect(faint(onGrounds("soft", "accent", ...tones, ...eventKinds), 4.5)).toEqual([]);
    expect(faint([...tones.map((tone) => [tone, `${tone}-ground`]), ["on-accent", "accent"]], 4.5)).toEqual([]);
  });

  test("the edges of what can be used, the focus and the bars can be seen (WCAG 1.4.11)", () => {
    expect(faint(onGrounds("edge", "accent", ...eventKinds), 3)).toEqual([]);
  });
});

const sheets: Readonly<Record<string, Sheet>> = { base, parts, lists, list, timeline, entry };

test("every property that a sheet uses is defined, and every token is used", () => {
  const all = [tokens, ...Object.values(sheets)].join("\n");
  const defined = new Set([...all.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name));
  const used = new Set([...all.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  expect([...defined].filter((name) => !used.has(name))).toEqual([]);
});

test("colours stand in the tokens alone, but for those of the kinds of events", () => {
  const strays = Object.entries(sheets).flatMap(([name, sheet]) =>
    [...sheet.matchAll(/^\s*([\w-]+): .*(?:#[\da-f]{3,8}\b|rgb\(|hsl\()/gm)].map(
      ([, property = ""]) => `${name} ${property}`,
    ),
  );
  expect(strays.filter((stray) => !eventKinds.some((kind) => stray === `timeline --${kind}`))).toEqual([]);
});

test("no sheet loads anything", () => {
  for (const sheet of [tokens, ...Object.values(sheets)]) expect(sheet).not.toMatch(/@import|url\(|https?:\/\//);
});
