import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultAccent, readAccent } from "../../src/core/text/accent.ts";
import type { Scheme } from "../../src/core/text/colour.ts";
import { faintPairs } from "../../src/http/pages/brand/contrasts.ts";
import { lookOf } from "../../src/http/pages/brand/look.ts";
import { ownPalette, paletteOf } from "../../src/http/pages/brand/palette.ts";
import { readTokenSheet, type TokenSheet } from "../../src/http/pages/brand/token.sheet.ts";
import { coloursIn, readSheet, sheetComplaints } from "../../src/http/pages/brand/tokens.ts";
import tokens from "../../src/http/pages/style/tokens.css" with { type: "text" };

const folder = mkdtempSync(join(tmpdir(), "gatehouse-tokens-"));
afterAll(() => rm(folder, { recursive: true }));
const both: readonly Scheme[] = ["light", "dark"];
const inDark = (rest: string): string => `@media (prefers-color-scheme: dark) { :root { ${rest} } }`;

function sheetOf(text: string): TokenSheet {
  const sheet = readTokenSheet(text);
  if (!("light" in sheet)) throw new Error(sheet.join("\n"));
  return sheet;
}
const paletteFor = (text: string) => paletteOf(readAccent(defaultAccent), coloursIn(sheetOf(text)));
const complaintsOf = (text: string, schemes = both) => sheetComplaints(sheetOf(text), paletteFor(text), schemes);

describe("a sheet of an operator's own colours", () => {
  test("may be written as browsers take it, and gives the colours of each scheme", () => {
    const sheet = sheetOf(
      "/* Shop */\r\n:root{--ground:#FFF8EE;--text:#123/* dark; blue */}\n\n" +
        "@media (prefers-color-scheme:dark)\n{\n  :root { --ground : #101418 ; }\n  :root { --text: #eef }\n}\n:root { --line: #abcdef; }",
    );
    expect(coloursIn(sheet)).toEqual({
      light: { ground: "#fff8ee", text: "#112233", line: "#abcdef" },
      dark: { ground: "#101418", text: "#eeeeff" },
    });
    expect([sheet.light.get("text")?.line, sheet.light.get("line")?.line, sheet.dark.get("text")?.line]).toEqual([
      2, 9, 7,
    ]);
  });

  test("changes what it names, in both schemes, and nothing else", () => {
    const palette = paletteFor(":root { --ground: #fff8ee }");
    expect(palette).toEqual({ ...ownPalette(), light: { ...ownPalette().light, ground: "#fff8ee" } });
    // A value for light pages alone would hold on dark ones, too: it stands behind the tokens.
    expect(lookOf({ palette, theme: "auto", radius: 8 }).style).toBe(
      ":root{--ground:#fff8ee}@media (prefers-color-scheme:dark){:root{--ground:#121413}}",
    );
  });

  test("gets the accent of dark pages and the text of buttons derived where it has none", () => {
    const { light, dark } = paletteFor(`:root { --accent: #7c3aed } ${inDark("--ground: #201030")}`);
    expect([light.accent, light["on-accent"]]).toEqual(["#7c3aed", "#ffffff"]);
    expect(dark.accent).not.toBe(ownPalette().dark.accent);
    expect(faintPairs({ light, dark }, "dark")).toEqual([]);
  });

  test("is not needed: our own colours go together in both schemes", () => {
    expect(both.flatMap((scheme) => faintPairs(ownPalette(), scheme))).toEqual([]);
    expect(lookOf({ palette: ownPalette(), theme: "auto", radius: 8 })).toEqual({
      style: "",
      schemes: "light dark",
      sources: { style: "'self'" },
    });
  });
});

const wrong: Readonly<Record<string, readonly [text: string, complaint: RegExp]>> = {
  nothing: ["", /^holds no colour$/],
  "a comment alone": ["/* --ground: #fff */", /^holds no colour$/],
  "an empty block": [":root {}", /^holds no colour$/],
  "our own sheet": [tokens, /^line 4: only custom properties such as --ground may stand in :root$/],
  "an import": ['\n@import "https://evil.test/x.css";', /^line 2: :root \{ … \} with colours, /],
  "a character set": ['@charset "utf-8"; :root { --ground: #fff }', /^line 1: :root/],
  "a font": ["@font-face { src: url(x) }", /^line 1: :root/],
  "another selector": [":root { --ground: #fff }\nbody { --ground: #000 }", /^line 2: :root/],
  "two selectors": [":root, body { --ground: #fff }", /^line 1: "\{" is missing behind :root$/],
  "a longer selector": [":root .card { --ground: #fff }", /^line 1: "\{" is missing behind :root$/],
  "a selector that begins so": [":root-x { --ground: #fff }", /^line 1: :root/],
  "a pseudo-class": [":root:hover { --ground: #fff }", /^line 1: "\{" is missing behind :root$/],
  "html in its place": ["html { --ground: #fff }", /^line 1: :root/],
  "a property": [":root {\n  --ground: #fff;\n  color: red;\n}", /^line 3: only custom properties/],
  "a block in a block": [":root { --ground: #fff; & .card { --ground: #000 } }", /^line 1: only custom properties/],
  "a property of ours that is no colour": [
    ":root { --family: serif }",
    /^line 1: the colours that can be set are --ground, /,
  ],
  "a property of another's": [
    ":root { --brand: #fff }",
    /^line 1: the colours that can be set are .*, and this is none$/,
  ],
  "a name in capitals": [":root { --Ground: #fff }", /^line 1: the colours that can be set/],
  "no name": [":root { --: #fff }", /^line 1: the colours that can be set/],
  "a picture": [
    ":root { --ground: url(https://evil.test/x.png) }",
    /^line 1: --ground must be a colour in hexadecimal/,
  ],
  "a picture with a semicolon": [':root { --ground: url("a;b") }', /^line 1: --ground must be a colour/],
  "another property": [":root { --ground: var(--text) }", /^line 1: --ground must be a colour/],
  "a name of a colour": [":root { --ground: white }", /^line 1: --ground must be a colour/],
  "a function": [":root { --ground: rgb(255 255 255) }", /^line 1: --ground must be a colour/],
  "a colour that is seen through": [":root { --ground: #ffffff80 }", /^line 1: --ground must be a colour/],
  "two colours": [":root { --ground: #ffffff #000000 }", /^line 1: --ground must be a colour/],
  "a colour that is important": [":root { --ground: #ffffff !important }", /^line 1: --ground must be a colour/],
  "digits of another script": [":root { --ground: #１２３ }", /^line 1: --ground must be a colour/],
  "an escape": [":root { --ground: \\23 fff }", /^line 1: --ground must be a colour/],
  "an escape in a name": [":root { --gr\\6f und: #fff }", /^line 1: ":" is missing/],
  "the end of a style": [
    ":root { --ground: #fff</style><script>alert(1)</script> }",
    /^line 1: --ground must be a colour/,
  ],
  "no value": [":root { --ground: ; }", /^line 1: --ground must be a colour/],
  "no colon": [":root { --ground #fff }", /^line 1: ":" is missing behind the name of a property$/],
  "one twice": [
    ":root { --ground: #fff }\n:root { --ground: #eee }",
    /^line 2: --ground is there twice for light pages: keep one$/,
  ],
  "one twice in the dark": [inDark("--text: #fff; --text: #eee"), /^line 1: --text is there twice for dark pages/],
  "a block without an end": [":root {\n  --ground: #fff;\n", /^line 3: "\}" is missing at the end of :root$/],
  "a medium without an end": [
    `${inDark("--ground: #000").slice(0, -1)}\n`,
    /^line 2: "\}" is missing at the end of @media$/,
  ],
  "an end too many": [":root { --ground: #fff } }", /^line 1: :root/],
  "a comment without an end": [":root { --ground: #fff }\n/* … ", /^line 2: the comment is not closed$/],
  "another condition": ["@media print { :root { --ground: #fff } }", /^line 1: the only condition/],
  "the condition for light": [
    "@media (prefers-color-scheme: light) { :root { --ground: #fff } }",
    /^line 1: the only condition/,
  ],
  "two conditions": [
    "@media (prefers-color-scheme: dark) and (min-width: 1px) { :root { --ground: #000 } }",
    /^line 1: "\{" is missing behind @media$/,
  ],
  "a support rule": ["@supports (color: red) { :root { --ground: #fff } }", /^line 1: :root/],
  "another selector in the dark": [
    "@media (prefers-color-scheme: dark) { body { --ground: #000 } }",
    /^line 1: only :root may stand in @media/,
  ],
  "a zero byte": [":root { --ground: #fff }\0", /^line 1: :root/],
  JSON: ['{ "ground": "#ffffff" }', /^line 1: :root/],
  "a key": ["-----BEGIN PRIVATE KEY-----\nMC4CAQ\n", /^line 1: :root/],
};

describe("A-14 a sheet that is more or less than colours is refused, by its line", () => {
  test.each(Object.keys(wrong))("%s", (name) => {
    const [text, complaint] = wrong[name] ?? ["", /./];
    const problems = readTokenSheet(text);
    expect(problems).toBeArray();
    expect("light" in problems ? "" : problems[0]).toMatch(complaint);
  });

  test("repeats nothing of a file that was never meant to be one", () => {
    const secret = "ZXlKaGJHY2lPaUpJVXpJMU5pSXNJblI1Y0NJNklrcFhWQ0o5";
    for (const text of [secret, `:root { --${secret}: #fff }`, `:root { --ground: ${secret} }`, `:root { ${secret} }`])
      expect(JSON.stringify(readTokenSheet(text))).not.toContain(secret.slice(0, 12));
  });

  test("says all that is wrong at once, up to ten lines", () => {
    const problems = readTokenSheet(`:root {\n${"--brand: #fff;\n".repeat(2_000)}}`);
    expect("light" in problems ? [] : problems).toHaveLength(10);
  });

  test("in a file of another encoding, too large, absent, or no file", () => {
    const [latin, large, wide] = ["latin.css", "large.css", "wide.css"].map((name) => join(folder, name));
    writeFileSync(latin ?? "", Buffer.from(":root { --ground: #fff } /* \xe4 */", "latin1"));
    writeFileSync(large ?? "", `:root { --ground: #fff }${" ".repeat(16 * 1024)}`);
    writeFileSync(wide ?? "", Buffer.from(":root { --ground: #fff }", "utf16le"));
    expect(readSheet(latin ?? "")).toEqual({ problems: ["must be a style sheet in UTF-8"] });
    expect(readSheet(large ?? "")).toEqual({
      problems: ["must be at most 16 KiB, and this file has 16408 bytes"],
    });
    expect(readSheet(wide ?? "")).toEqual({ problems: [expect.stringMatching(/^line 1: :root/)] });
    expect(readSheet(join(folder, "absent.css"))).toEqual({ problems: ["can't be read (ENOENT)"] });
    for (const path of [folder, "/dev/zero"]) expect(readSheet(path)).toEqual({ problems: ["must be a file"] });
  });
});

describe("A-13 colours of an operator's own can be read, each on each ground that it meets", () => {
  test.each([
    ["text", "#777777", "#f7f7f5", 7],
    ["soft", "#999999", "#f7f7f5", 4.5],
    ["accent", "#ffd400", "#f7f7f5", 4.5],
    ["danger", "#ff8888", "#f7f7f5", 4.5],
    ["edge", "#dddddd", "#f7f7f5", 3],
  ])("--%s %s is refused on %s, which takes %d:1, with a colour that does", (name, colour, ground, least) => {
    const [first = ""] = complaintsOf(`\n:root { --${name}: ${colour} }`);
    expect(first).toStartWith(`line 2: on light pages --${name} ${colour} has a contrast of `);
    expect(first).toContain(` to --ground ${ground}, where ${least}:1 is needed; the nearest colour that has it is #`);
    const better = /#[\da-f]{6}$/.exec(first)?.[0] ?? "";
    expect(complaintsOf(`:root { --${name}: ${better} }`)).toEqual([]);
  });

  test("the text of buttons is held against the accent, and tones against their grounds", () => {
    expect(complaintsOf(":root { --on-accent: #0f6b4f }")).toEqual([
      expect.stringContaining("to --accent #0f6b4f, where 4.5:1"),
    ]);
    expect(complaintsOf(":root { --good-ground: #1d6b3a }")).toEqual([
      expect.stringContaining("--good #1d6b3a has a contrast of 1:1 to --good-ground"),
    ]);
  });

  test("a ground is refused by what stands on it, in the scheme that pages have", () => {
    const text = `:root { --ground: #fafafa }\n${inDark("--ground: #555555")}`;
    expect(complaintsOf(text).length).toBeGreaterThan(3);
    expect(complaintsOf(text)[0]).toStartWith("line 2: on dark pages --text #ecefec has a contrast of ");
    expect(complaintsOf(text, ["light"])).toEqual([]);
  });

  test("a dark sheet for light pages is refused, since browsers draw scroll bars and fields by the scheme", () => {
    const { ground, surface, text, soft, edge, accent, danger, warning, good } = ownPalette().dark;
    const dark = { ground, surface, text, soft, edge, accent, danger, warning, good };
    const tones = ["danger", "warning", "good"].map((tone) => `--${tone}-ground: ${ground}`);
    const written = Object.entries(dark).map(([name, colour]) => `--${name}: ${colour}`);
    expect(complaintsOf(`:root { ${[...written, ...tones].join(";")} }`)).toEqual([
      "line 1: on light pages --ground is darker than --text: colours of dark pages stand in @media (prefers-color-scheme: dark)",
    ]);
  });
});
