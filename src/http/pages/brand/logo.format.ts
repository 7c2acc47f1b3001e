import { decodeUtf8 } from "../../../core/text/text.ts";
import type { Wrong } from "./file.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const mostPixels = 2_048;

/**
 * Reads the size of a PNG; undefined for another file. A small file may unpack to a very large picture: its first chunk says how large (PNG, 11.2.1).
 */
export function readPng(bytes: Uint8Array<ArrayBuffer>): Size | Wrong | undefined {
  if (!pngSignature.every((byte, index) => bytes[index] === byte)) return undefined;
  if (bytes.length < 33 || new TextDecoder().decode(bytes.subarray(12, 16)) !== "IHDR")
    return { wrong: "is a PNG that begins wrongly" };
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const fits = width > 0 && height > 0 && width <= mostPixels && height <= mostPixels;
  return fits
    ? { width, height }
    : { wrong: `must be at most ${mostPixels} pixels wide and high, and this one has ${width} × ${height}` };
}

const drawing =
  "svg g defs symbol use title desc style clipPath mask pattern marker path rect circle ellipse line polyline polygon " +
  "text tspan textPath linearGradient radialGradient stop";
const elements: ReadonlySet<string> = new Set(drawing.split(" "));
const tag = /^<(\/?)([A-Za-z][\w.-]*(?::[\w.-]+)?)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Parts of a style that could load something, or hide from this check. */
const loadsInStyle = /@import|url\((?!\s*["']?#)|image-set|\\|expression|-moz-binding|behavior/i;
/** Drawing programs write attributes and elements of their own, which mean nothing to a browser. */
const foreign = /^(?:inkscape|sodipodi|rdf|cc|dc|sketch|figma|serif|xml|xmlns)(?::|$)/;

/** Namespaces whose elements a browser draws and runs. Under another prefix they would escape the list of elements. */
const namespaces: ReadonlySet<string> = new Set(["http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"]);

function attributeComplaint(name: string, value: string): string | undefined {
  const plain = name.toLowerCase();
  if (plain.startsWith("on")) return `has the script ${name}`;
  if (plain === "xmlns" && value !== "http://www.w3.org/2000/svg") return "is partly something else";
  if (value.includes("&#")) return `writes ${name} in character references`;
  if (/^(?:.+:)?(?:base|src)$/.test(plain)) return `refers to something outside, by ${name}`;
  if (plain.startsWith("xmlns:") && plain !== "xmlns:svg" && namespaces.has(value.trim()))
    return `gives its elements another name, by ${name}`;
  if (foreign.test(plain)) return undefined;
  if (/^(?:.+:)?href$/.test(plain) && !value.startsWith("#")) return `refers to something outside, by ${name}`;
  if (loadsInStyle.test(value)) return `loads something, by ${name}`;
  return undefined;
}

function elementComplaint(name: string, attributes: string): string | undefined {
  if (!elements.has(name) && !foreign.test(name)) return `holds the element ${name}`;
  for (const [, key = "", double, single] of attributes.matchAll(attribute)) {
    const complaint = attributeComplaint(key, double ?? single ?? "");
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

/** Returns the text without the prolog and comments, which draw nothing. Undefined where it has a document type or another instruction. */
function content(text: string): string | undefined {
  const body = text.replace(/^\s*<\?xml\s[^<>?]*\?>/, "").replaceAll(/<!--(?:(?!--)[\s\S])*-->/g, "");
  return /<[!?]/.test(body) ? undefined : body.trim();
}

/**
 * Says why a file is no picture that can be served. Undefined for a picture of known elements alone that runs nothing and refers to nothing
 * but itself. Constructs that the check does not understand are refused rather than mended.
 */
export function svgComplaint(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  if (text === undefined) return "must be a PNG, or an SVG in UTF-8";
  const body = content(text);
  if (body === undefined) return "is an SVG with a document type or an instruction: save it as plain SVG";
  if (!/^<svg[\s>]/.test(body)) return "must be a PNG, or an SVG in UTF-8";
  let inStyle = false;
  for (let rest = body; rest !== "";) {
    const [found, closing = "", name = "", attributes = ""] = tag.exec(rest) ?? [];
    if (found === undefined) return "is an SVG that is not well-formed";
    const complaint = elementComplaint(name, attributes);
    if (complaint !== undefined) return `is an SVG that ${complaint}: save it as plain SVG, without it`;
    inStyle = name === "style" && closing === "" && !found.endsWith("/>");
    const next = rest.indexOf("<", found.length);
    const between = rest.slice(found.length, next === -1 ? undefined : next);
    if (inStyle && (loadsInStyle.test(between) || between.includes("&")))
      return "is an SVG whose style loads something: save it as plain SVG, without it";
    rest = next === -1 ? "" : rest.slice(next);
  }
  return undefined;
}
