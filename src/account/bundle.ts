import { basename, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants } from "node:zlib";

/** One file that the pages load. Its bytes are in base64, so that a bundle can be a constant of the binary. */
export interface BundledFile {
  /** The name holds a hash of the content and of the files that it loads, so that a browser may keep the file for ever. */
  readonly name: string;
  readonly type: string;
  readonly gzip: string;
  readonly brotli: string;
}

export interface Bundle {
  readonly style: string;
  /** The file that all pages need. It runs once the words of a language stand before it. */
  readonly main: string;
  /** The files of each page: its own, and the one that the pages of a signed-in person share. */
  readonly pages: Readonly<Record<Source, readonly string[]>>;
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

/** Builds the browser's part: a script and its pages, which have no words in them, and one style sheet, compressed as well as possible. */
export async function bundleBrowser(): Promise<Bundle> {
  const [style, { main, files, outputs }] = await Promise.all([build("style/style.css"), build("main.ts")]);
  const filesOf = (source: Source, most = 0): readonly string[] => {
    const file = outputs.find(({ entryPoint }) => entryPoint?.endsWith(sources[source]));
    if (file === undefined) throw new Error(`${source} has no file of its own`);
    const others = file.imports.filter((name) => name !== main);
    if (others.length > most) throw new Error(`${source} loads ${others.join()}: see common.ts and personal.ts`);
    return [file.name, ...others];
  };
  const pages = {
    signIn: filesOf("signIn"),
    seldom: filesOf("seldom"),
    invitation: filesOf("invitation"),
    account: filesOf("account", 1),
    organization: filesOf("organization", 1),
    extras: filesOf("extras", 1),
    ways: filesOf("ways", 1),
  };
  return { style: style.main, main, pages, files: [...style.files, ...files] };
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
  return packed(name, bytes, brotliCompressSync(bytes, quality));
}

const compress = promisify(brotliCompress);

/** Packs a text while the app serves: beside the event loop, and in a tenth of the time that the best compression takes. */
export async function packText(name: string, content: string): Promise<BundledFile> {
  const bytes = Buffer.from(content);
  return packed(name, bytes, await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}

const packed = (name: string, bytes: Buffer<ArrayBuffer>, brotli: Buffer): BundledFile => ({
  name,
  type: name.endsWith(".css") ? types.css : types.js,
  // The library compresses best at its highest level.
  gzip: Buffer.from(Bun.gzipSync(bytes, { library: "libdeflate", level: 12 })).toString("base64"),
  brotli: brotli.toString("base64"),
});
