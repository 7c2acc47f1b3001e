import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Chapter } from "./shared/words/chapters/index.ts";
import type { Language } from "./shared/words/language.ts";

/** One file that the pages load. Its bytes are in base64, so that a bundle can be a constant of the binary. */
export interface BundledFile {
  /** The name holds a hash of the content and of the files that it loads, so that a browser may keep the file for ever. */
  readonly name: string;
  readonly type: string;
  readonly gzip: string;
  readonly brotli: string;
}

/** The names of the files that a page loads in one language. */
interface Script {
  /** The file that all pages need, with the words of the language. */
  readonly main: string;
  /** The file of each page. */
  readonly pages: Readonly<Record<Source, string>>;
  /** The files of words that only some pages need. */
  readonly chapters: Readonly<Record<Chapter, string>>;
}

export interface Bundle {
  readonly style: string;
  readonly scripts: Readonly<Record<Language, Script>>;
  readonly files: readonly BundledFile[];
}

export const browserFolder = join(import.meta.dir, "browser");

/** The sources that become files of their own: see browser/start.tsx. */
const sources = {
  signIn: "pages/sign.in/page.tsx",
  account: "pages/account/page.tsx",
  seldom: "pages/seldom.ts",
  invitation: "pages/invitation/page.tsx",
  organization: "pages/organization/page.tsx",
  /** The ways into an organization, for those who look after them. */
  ways: "pages/organization/ways/index.tsx",
  /** What the page of the account has in some installations alone. */
  extras: "pages/account/extras/index.ts",
} as const;
export type Source = keyof typeof sources;

/** Builds the browser's part: a script and its pages for each language, and one style sheet, compressed as well as possible. */
export async function bundleBrowser(): Promise<Bundle> {
  const [style, en, de] = await Promise.all([build("style/style.css"), buildScript("en"), buildScript("de")]);
  const files = [...style.files, ...en.files, ...de.files];
  return {
    style: style.main,
    scripts: { en: en.script, de: de.script },
    // A file that is the same in both languages has the same name.
    files: [...new Map(files.map((file) => [file.name, file])).values()],
  };
}

async function buildScript(language: Language): Promise<{ readonly script: Script; readonly files: BundledFile[] }> {
  const { main, files, outputs } = await build(`main.${language}.ts`);
  const fileOf = (source: string): string => {
    const file = outputs.find(({ entryPoint }) => entryPoint?.endsWith(source));
    if (file === undefined) throw new Error(`${source} has no file of its own`);
    const others = file.imports.filter((name) => name !== main);
    if (others.length > 0) throw new Error(`${source} loads ${others.join()}: see common.ts`);
    return file.name;
  };
  const pages = {
    signIn: fileOf(sources.signIn),
    account: fileOf(sources.account),
    seldom: fileOf(sources.seldom),
    organization: fileOf(sources.organization),
    invitation: fileOf(sources.invitation),
    extras: fileOf(sources.extras),
    ways: fileOf(sources.ways),
  };
  const wordsOf = (chapter: Chapter): string => fileOf(`words/chapters/${chapter}.${language}.ts`);
  const chapters = {
    account: wordsOf("account"),
    invitation: wordsOf("invitation"),
    links: wordsOf("links"),
    organization: wordsOf("organization"),
    ways: wordsOf("ways"),
  };
  return { script: { main, pages, chapters }, files };
}

const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" } as const;

async function build(entrypoint: string) {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [join(browserFolder, entrypoint)],
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    // The server tells the browser which files a page loads.
    modulePreload: false,
    metafile: true,
    naming: { entry: "[name].[hash].[ext]", chunk: "[name].[hash].[ext]" },
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
  });
  const main = outputs.find(({ kind, path }) => kind === "entry-point" || path.endsWith(".css"));
  if (main === undefined) throw new Error(`${entrypoint} makes no file`);
  return {
    main: basename(main.path),
    files: await Promise.all(outputs.map(async (output) => pack(basename(output.path), await output.text()))),
    outputs: Object.entries(metafile?.outputs ?? {}).map(([path, { entryPoint, imports }]) => ({
      name: basename(path),
      entryPoint,
      /** The files that the file loads before it runs. */
      imports: imports.filter(({ kind }) => kind === "import-statement").map((each) => basename(each.path)),
    })),
  };
}

function pack(name: string, content: string): BundledFile {
  const bytes = Buffer.from(content);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  return {
    name,
    type: name.endsWith(".css") ? types.css : types.js,
    // The library compresses best at its highest level.
    gzip: Buffer.from(Bun.gzipSync(bytes, { library: "libdeflate", level: 12 })).toString("base64"),
    brotli: brotliCompressSync(bytes, quality).toString("base64"),
  };
}
