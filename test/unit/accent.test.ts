import { describe, expect, test } from "bun:test";
import { accentComplaint, accentGrounds, defaultAccent, readAccent } from "../../src/core/text/accent.ts";
import { contrast } from "../../src/core/text/colour.ts";
import tokens from "../../src/http/pages/style/tokens.css" with { type: "text" };

const [light = "", dark = ""] = [...tokens.matchAll(/:root \{([^}]*)\}/g)].map(([, values = ""]) => values);
const token = (values: string, name: string): string =>
  new RegExp(`--${name}: (#[\\da-f]{6});`).exec(values)?.[1] ?? "";

test("the grounds and the accent of the tokens are those that colours are held against", () => {
  for (const [values, grounds] of [
    [light, accentGrounds.light],
    [dark, accentGrounds.dark],
  ] as const)
    expect([token(values, "ground"), token(values, "surface")]).toEqual([...grounds]);
  expect(readAccent(defaultAccent)).toEqual({
    light: token(light, "accent"),
    onLight: token(light, "on-accent"),
    dark: token(dark, "accent"),
    onDark: token(dark, "on-accent"),
  });
});

test("contrast is that of WCAG", () => {
  expect(contrast("#ffffff", "#000000")).toBe(21);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});

describe("A-09 an accent", () => {
  test("that can be read is taken: one colour, or one for each scheme", () => {
    for (const text of ["#0f6b4f", "#1D4ED8", "#000000", "#7c3aed", "#0f6b4f,#4cc79b", "#b91c1c, #fca5a5"])
      expect([text, accentComplaint(text)]).toEqual([text, undefined]);
  });

  test("that can't be is refused with the figures and the nearest colour that passes, which does", () => {
    for (const text of ["#ffd400", "#22d3ee", "#ffffff", "#808080", "#0f6b4f,#003311", "#f97316", "#ff0000"]) {
      const complaint = accentComplaint(text) ?? "";
      expect(complaint).toMatch(
        /^can't be read on (?:light|dark) pages: #[\da-f]{6} has a contrast of [1-4](?:\.\d)?:1 to #[\da-f]{6}, where text needs 4\.5:1; /,
      );
      const nearest = /the nearest colour that has it is (#[\da-f]{6})$/.exec(complaint)?.[1] ?? "";
      expect([text, accentComplaint(text.includes(",") ? `#0f6b4f,${nearest}` : nearest)]).toEqual([text, undefined]);
    }
    expect(accentComplaint("#ff0000")).toContain("has a contrast of 3.7:1 to #f7f7f5");
  });

  test("is derived for dark pages, and its buttons can be read in both", () => {
    for (let step = 0; step < 4_096; step += 7) {
      const text = `#${step.toString(16).padStart(3, "0").replaceAll(/./g, "$&$&")}`;
      if (accentComplaint(text) !== undefined) continue;
      const { light: onWhite, onLight, dark: onBlack, onDark } = readAccent(text);
      const pairs = [
        ...accentGrounds.light.map((ground) => contrast(onWhite, ground)),
        ...accentGrounds.dark.map((ground) => contrast(onBlack, ground)),
        contrast(onWhite, onLight),
        contrast(onBlack, onDark),
      ];
      expect([text, Math.min(...pairs) >= 4.5]).toEqual([text, true]);
    }
  });

  test("is nothing but a colour, so that nothing else gets into a sheet", () => {
    for (const text of [
      "",
      "red",
      "#fff",
      "#0f6b4f;",
      "#0f6b4f,#4cc79b,#000000",
      "#0f6b4f}body{",
      "url(#0f6b4f)",
      "#0F6B4Ｆ",
    ])
      expect(accentComplaint(text)).toStartWith("must be a colour such as #0f6b4f");
    expect(readAccent("#7C3AED")).toMatchObject({ light: "#7c3aed", onLight: "#ffffff" });
  });
});
