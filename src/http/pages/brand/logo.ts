import { contentHash } from "../../../core/crypto.ts";
import { isWrong, readSmallFile, type Wrong } from "./file.ts";
import type { BrandFile } from "./files.ts";
import { readPng, svgComplaint, type Size } from "./logo.format.ts";

export interface Picture extends BrandFile {
  /** In pixels; undefined for a drawing, which has any size. */
  readonly size?: Size;
}

const mostKib = 64;

/** Reads a picture, or says what is wrong with it in words that follow the variable's name. */
export function readPicture(path: string): Picture | Wrong {
  const body = readSmallFile(path, mostKib);
  if (isWrong(body)) return body;
  const at = (format: string): string => `/brand/logo.${contentHash(body).slice(0, 16)}.${format}`;
  const png = readPng(body);
  if (png !== undefined) return isWrong(png) ? png : { path: at("png"), type: "image/png", body, size: png };
  const complaint = svgComplaint(body);
  return complaint === undefined ? { path: at("svg"), type: "image/svg+xml", body } : { wrong: complaint };
}
