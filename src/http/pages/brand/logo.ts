import { readFileSync, statSync } from "node:fs";
import { Elysia } from "elysia";
import { contentHash } from "../../../core/crypto.ts";
import { errorCode } from "../../../core/errors.ts";
import { cacheByHash } from "../style/assets.ts";
import { readPng, svgComplaint } from "./logo.format.ts";
import { hidden } from "../../docs/operation.ts";

export interface Logo {
  /** The path below APP_URL, with a hash: the file at a path never changes. */
  readonly path: string;
  readonly type: "image/svg+xml" | "image/png";
  readonly body: Uint8Array<ArrayBuffer>;
}

const mostBytes = 64 * 1024;

/** Reads the picture, or says what is wrong with it in words that follow the variable's name. */
export function readLogo(path: string): Logo | { readonly wrong: string } {
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
  const hash = contentHash(bytes).slice(0, 16);
  return {
    path: `/brand/logo.${hash}.${png === undefined ? "svg" : "png"}`,
    type: png === undefined ? "image/svg+xml" : "image/png",
    body: bytes,
  };
}

/** A picture that is opened by itself runs nothing, loads nothing and has no origin. Its own style applies. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Serves the picture at its path, and at any earlier or later path of a logo. */
export function logoRoutes(logo: Logo) {
  const answer = (asked: string): Response =>
    new Response(logo.body, {
      headers: {
        "content-type": logo.type,
        "content-security-policy": policy,
        "cache-control": cacheByHash(asked, logo.path),
      },
    });
  return new Elysia({ name: "brand" }).get("/brand/:file", ({ params }) => answer(`/brand/${params.file}`), {
    ...hidden,
  });
}
