import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Bundle, BundledFile, Source } from "./bundle.ts";
import { preferencesIn } from "../http/index.ts";
import { cacheByHash } from "../http/pages/style/assets.ts";
import { hasExtras, type Path, type Settings } from "./shared/settings.ts";
import { chapterOf } from "./shared/words.ts";
import { wordsFile, type Speech } from "./speeches.ts";

// build.ts defines this constant in a binary. The source tree runs without it.
declare const GATEHOUSE_VERSION: string;

export const assetFolder = "/account/assets";

/** Returns a function that finds the browser's part. The binary carries the part; from the sources, the first call builds it. */
export const createBundleSource = (): (() => Promise<Bundle>) =>
  typeof GATEHOUSE_VERSION === "undefined" ? createBuilder() : async () => (await import("./embedded.ts")).embedded;

/** Builds again after each change, so that a developer sees it after a reload. */
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

/** The file of each page; all others share one. */
const sourceOf: Readonly<Partial<Record<Path, Source>>> = {
  "/login": "signIn",
  "/account": "account",
  "/account/organization": "organization",
  "/accept-invitation": "invitation",
};

/** Returns the main script in a language, and the files that a page loads besides: the browser asks for all of them at once. */
export function scriptsOf({ main, pages }: Bundle, path: Path, { folder }: Speech, settings: Settings) {
  const isAccount = path === "/account";
  const chapter = chapterOf(path);
  const loads = [
    ...pages[sourceOf[path] ?? "seldom"],
    ...(chapter === undefined ? [] : [wordsFile(chapter)]),
    ...(isAccount && hasExtras(settings) ? pages.extras : []),
    ...(isAccount && settings.organizations !== undefined ? [wordsFile("organization")] : []),
  ];
  return { main: `${folder}/${main}`, loads: [...new Set(loads)].map((file) => `${folder}/${file}`) };
}

const stem = (name: string): string => name.replace(/\.[0-9a-z]{8}\./, ".");

/**
 * Answers with the file of a name that holds no words. During a rolling release, the page of one instance may ask another one for its style
 * sheet: the answer is the one that is there. The file of a page only fits the script of its own release.
 */
export function answerWith({ files, style }: Bundle, name: string, request: Request): Response {
  const there = files.find((file) => file.name === name);
  if (there !== undefined) return send(there, cacheByHash(name, there.name), request);
  const sheet = stem(name) === stem(style) ? files.find((file) => file.name === style) : undefined;
  return sheet === undefined
    ? new Response(null, { status: 404 })
    : send(sheet, cacheByHash(name, sheet.name), request);
}

/**
 * Answers with a file out of the folder of a language. Its words are of this release, whatever folder and script were asked for, so browsers
 * keep them only where both are the ones that are there.
 */
export function answerInLanguage(bundle: Bundle, speech: Speech, asked: Asked, request: Request): Response {
  const { main, files } = bundle;
  const withWords = asked.file === main ? speech.main : speech.files.get(asked.file);
  if (withWords !== undefined) return send(withWords, cacheByHash(asked.folder, speech.folder), request);
  const isScript = stem(asked.file) === stem(main) && !files.some(({ name }) => name === asked.file);
  // Page files load the script by its own name. Under a second name it would run twice.
  return isScript ? leadTo(`./${main}`) : answerWith(bundle, asked.file, request);
}

/** A file, and the folder of its language, as a page asks for them. */
export interface Asked {
  readonly folder: string;
  readonly file: string;
}

/** A script that loads another one in its place. */
export const leadTo = (path: string): Response =>
  new Response(`import "${path}";`, {
    headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" },
  });

/** Sends a file in the best coding that the browser accepts. */
function send(file: Omit<BundledFile, "name">, cacheControl: string, request: Request): Response {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const coding = (["br", "gzip"] as const).find((each) => accepts(accepted, each));
  const bytes = Buffer.from(coding === "br" ? file.brotli : file.gzip, "base64");
  return new Response(coding === undefined ? Bun.gunzipSync(bytes) : bytes, {
    headers: {
      "content-type": file.type,
      "cache-control": cacheControl,
      vary: "Accept-Encoding",
      ...(coding !== undefined && { "content-encoding": coding }),
    },
  });
}

/** Whether an Accept-Encoding header names a coding and does not rule it out (RFC 9110 §12.5.3). */
const accepts = (header: string, coding: string): boolean =>
  preferencesIn(header).some(({ value, quality }) => value === coding && quality > 0);
