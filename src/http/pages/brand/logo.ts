import { readFileSync, statSync } from "node:fs";
import { Elysia } from "elysia";
import { contentHash } from "../../../core/crypto.ts";
import { errorCode } from "../../../core/errors.ts";
import { cacheByHash } from "../style/assets.ts";
import { readPng, svgComplaint } from "./logo.format.ts";
import { hidden } from "../../docs/operation.ts";

export interface Picture {
  /** The path below APP_URL, with a hash: the file at a path never changes. */
  readonly path: string;
  readonly type: "image/svg+xml" | "image/png";
  readonly body: Uint8Array<ArrayBuffer>;
}

const mostBytes = 64 * 1024;

/** Reads a picture, or says what is wrong with it in words that follow the variable's name. */
export function readPicture(path: string): Picture | { readonly wrong: string } {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const { size } = statSync(path);
    if (size > mostBytes) return { wrong: `must be at most ${mostBytes / 1024} KiB, and this file has ${size} bytes` };
    bytes = new Uint8Array(readFileSync(path));
  } catch (error) {
    return { wrong: `can't be read (${errorCode(error)})` };
  }
  const png = readPng(bytes);
  if (png !== undefined && png.wrong !== undefined) return { wrong: png.wrong };
  const complaint = png === undefined ? svgComplaint(bytes) : undefined;
  if (complaint !== undefined) return { wrong: complaint };
  const format = png === undefined ? "svg" : "png";
  return {
    path: `/brand/logo.${contentHash(bytes).slice(0, 16)}.${format}`,
    type: format === "svg" ? "image/svg+xml" : "image/png",
    body: bytes,
  };
}

/** A picture that is opened by itself runs nothing, loads nothing and has no origin. Its own style applies. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Serves each picture at its path. At any earlier or later path the logo is answered, which browsers do not keep there. */
export function pictureRoutes(logo: Picture, dark: Picture | undefined) {
  return new Elysia({ name: "brand" }).get(
    "/brand/:file",
    ({ params }) => {
      const asked = `/brand/${params.file}`;
      const picture = dark?.path === asked ? dark : logo;
      return new Response(picture.body, {
        headers: {
          "content-type": picture.type,
          "content-security-policy": policy,
          "cache-control": cacheByHash(asked, picture.path),
        },
      });
    },
    { ...hidden },
  );
}
