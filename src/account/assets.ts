import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Bundle, BundledFile } from "./bundle.ts";
import { preferencesIn } from "../http/index.ts";
import { cacheByHash } from "../http/pages/assets.ts";

// build.ts defines this constant in a binary; it is absent when the source tree runs as it is.
declare const GATEHOUSE_ACCOUNT_BUNDLE: Bundle;

export const assetFolder = "/account/assets";

/** Finds the browser's part: the binary carries it, and from the sources it is built when it is first asked for. */
export const createBundleSource = (): (() => Promise<Bundle>) =>
  typeof GATEHOUSE_ACCOUNT_BUNDLE === "undefined" ? createBuilder() : () => Promise.resolve(GATEHOUSE_ACCOUNT_BUNDLE);

/** Builds again after a change, so that whoever works on the pages sees it after a reload. */
function createBuilder(): () => Promise<Bundle> {
  let built: { readonly changedAt: number; readonly bundle: Promise<Bundle> } | undefined;
  return async () => {
    const { browserFolder, bundleBrowser } = await import("./bundle.ts");
    const changedAt = await lastChange(join(browserFolder, ".."));
    if (built?.changedAt !== changedAt) built = { changedAt, bundle: bundleBrowser() };
    return built.bundle;
  };
}

async function lastChange(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
  return Math.max(...times);
}

/** Finds the file of a name, whatever the hash in it. */
export const fileNamed = ({ script, style }: Bundle, name: string): BundledFile | undefined =>
  [script, style].find((file) => stem(file.name) === stem(name));

const stem = (name: string): string => name.replace(/\.[0-9a-f]{16}\./, ".");

/** Answers with a file in the best coding that the browser takes. */
export function answerWith(file: BundledFile, name: string, request: Request): Response {
  const { coding, body } = encode(file, request.headers.get("accept-encoding") ?? "");
  return new Response(new Uint8Array(body), {
    headers: {
      "content-type": file.type,
      "cache-control": cacheByHash(name, file.name),
      vary: "Accept-Encoding",
      ...(coding !== undefined && { "content-encoding": coding }),
    },
  });
}

function encode({ brotli, gzip }: BundledFile, accepted: string): { readonly coding?: string; readonly body: Buffer } {
  if (accepts(accepted, "br")) return { coding: "br", body: Buffer.from(brotli, "base64") };
  const zipped = Buffer.from(gzip, "base64");
  return accepts(accepted, "gzip") ? { coding: "gzip", body: zipped } : { body: gunzipSync(zipped) };
}

/** Whether an Accept-Encoding header names a coding and does not rule it out (RFC 9110 §12.5.3). */
const accepts = (header: string, coding: string): boolean =>
  preferencesIn(header).some(({ value, quality }) => value === coding && quality > 0);
