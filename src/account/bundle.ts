import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { contentHash } from "../core/crypto.ts";

/** One file that the pages load. Bytes are in base64, so that a bundle can be a constant of the binary. */
export interface BundledFile {
  /** With a part of the hash of its content, so that a browser may keep it for ever. */
  readonly name: string;
  readonly type: string;
  readonly gzip: string;
  readonly brotli: string;
}

export interface Bundle {
  readonly script: BundledFile;
  readonly style: BundledFile;
}

export const browserFolder = join(import.meta.dir, "browser");

/** Puts the browser's part together: one script and one style sheet, compressed as well as can be. */
export async function bundleBrowser(): Promise<Bundle> {
  const [script, style] = await Promise.all([build("main.tsx"), build("style.css")]);
  return {
    script: pack("account", "js", "text/javascript; charset=utf-8", script),
    style: pack("account", "css", "text/css; charset=utf-8", style),
  };
}

async function build(entrypoint: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(browserFolder, entrypoint)],
    target: "browser",
    format: "iife",
    minify: true,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
  });
  const [output] = outputs;
  if (output === undefined || outputs.length > 1) throw new Error(`${entrypoint} makes ${outputs.length} files`);
  return output.text();
}

function pack(name: string, extension: string, type: string, content: string): BundledFile {
  const bytes = Buffer.from(content);
  const hash = contentHash(bytes).slice(0, 16);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  return {
    name: `${name}.${hash}.${extension}`,
    type,
    gzip: gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }).toString("base64"),
    brotli: brotliCompressSync(bytes, quality).toString("base64"),
  };
}
