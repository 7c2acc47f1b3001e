import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPicture } from "../../src/http/pages/brand/logo.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-logo-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "logo");
function complaintOf(content: string | Uint8Array): string | undefined {
  writeFileSync(path, content);
  const logo = readPicture(path);
  return "wrong" in logo ? logo.wrong : undefined;
}
const svg = (inside: string, attributes = ""): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"${attributes}>${inside}</svg>`;

const drawn = [
  svg('<path d="M0 0h10v10z" fill="#0f6b4f"/>'),
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n${svg("<title>Shop &amp; Co</title><circle cx='5' cy='5' r='4'/>")}\n`,
  svg(
    '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><rect fill="url(#a)" width="10" height="10"/>',
  ),
  svg(
    '<style>.a{fill:url("#a")} @media (prefers-color-scheme: dark) { .a { fill: white } }</style><g class="a"><use href="#b"/><use xlink:href="#b"/></g>',
    ' xmlns:xlink="http://www.w3.org/1999/xlink"',
  ),
  svg(
    '<sodipodi:namedview inkscape:zoom="2"/><g inkscape:label="x"/>',
    ' xmlns:svg="http://www.w3.org/2000/svg" xmlns:inkscape="http://inkscape.org" xmlns:sodipodi="http://sodipodi.net"',
  ),
];

const hostile = [
  svg("<script>alert(1)</script>"),
  svg('<script href="data:text/javascript,alert(1)"/>'),
  svg("<x:script xmlns:x='http://www.w3.org/2000/svg'>alert(1)</x:script>"),
  svg("", ' onload="alert(1)"'),
  svg("", " ONLOAD='alert(1)'"),
  svg("", "\n\tonload\n=\n'alert(1)'"),
  svg('<a href="https://evil.test"><path d=""/></a>'),
  svg('<use href="https://evil.test/a.svg#a"/>'),
  svg('<use xlink:href="//evil.test/a.svg#a"/>'),
  svg('<use href="&#106;avascript:alert(1)"/>'),
  svg('<use href=" javascript:alert(1)"/>'),
  svg('<image href="https://evil.test/pixel.png"/>'),
  svg('<feImage href="https://evil.test/pixel.png"/>'),
  svg("<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>"),
  svg("<iframe src='https://evil.test'/>"),
  svg('<set attributeName="href" to="javascript:alert(1)"/>'),
  svg('<animate attributeName="href" values="javascript:alert(1)"/>'),
  svg("<style>@import 'https://evil.test/a.css';</style>"),
  svg("<style>path{fill:url(https://evil.test/a.svg#a)}</style>"),
  svg("<style>path{fill:u\\72l(https://evil.test)}</style>"),
  svg("<style>@&#105;mport 'https://evil.test/a.css';</style>"),
  svg("<style><![CDATA[@import 'https://evil.test/a.css';]]></style>"),
  svg('<path style="fill:url(https://evil.test/a.svg#a)" d=""/>'),
  svg('<path fill="url( \'https://evil.test/a.svg#a\')" d=""/>'),
  svg("", ' xml:base="https://evil.test/"'),
  svg('<rdf:script xmlns:rdf="http://www.w3.org/2000/svg">alert(1)</rdf:script>'),
  svg('<g xmlns="http://www.w3.org/1999/xhtml"></g>'),
  `<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${svg("&x;")}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg("")}`,
  `<?xml-stylesheet href="https://evil.test/a.css"?>${svg("")}`,
  svg('<path d="" title="a>b<script>"/>'),
  svg("<path d=''"),
  svg("<!-- --><script>alert(1)</script><!-- -->"),
  svg("<!-- -- ><script>alert(1)</script> -->"),
  "<html><body></body></html>",
  "GIF89a",
  "",
  new Uint8Array([0xff, 0xfe, 0x3c, 0]),
];

test("A-10 pictures that only draw are taken", () => {
  for (const content of drawn) expect([content, complaintOf(content)]).toEqual([content, undefined]);
});

test.each(hostile)("A-10 what runs, loads or hides something is refused: %s", (content) => {
  expect(complaintOf(content)).toMatch(/^(?:must be|is an SVG)/);
});

/** Makes a PNG up to the end of its first chunk, which is all that is looked at. */
function png(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
}

test("A-10 a PNG is bounded in pixels, and any file in bytes", () => {
  expect(complaintOf(png(512, 128))).toBeUndefined();
  for (const [width, height] of [
    [2_049, 10],
    [10, 60_000],
    [0, 10],
  ] as const)
    expect(complaintOf(png(width, height))).toBe(
      `must be at most 2048 pixels wide and high, and this one has ${width} × ${height}`,
    );
  expect(complaintOf(png(10, 10).subarray(0, 20))).toBe("is a PNG that begins wrongly");
  expect(complaintOf(svg(" ".repeat(70_000)))).toStartWith("must be at most 64 KiB");
  expect(readPicture(join(folder, "absent"))).toEqual({ wrong: "can't be read (ENOENT)" });
  expect(readPicture(folder)).toHaveProperty("wrong");
});
