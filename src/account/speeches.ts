import type { Bundle, BundledFile } from "./bundle.ts";
import { contentHash } from "../core/crypto.ts";
import type { Words } from "../words/index.ts";
import { chapters, type Chapter } from "./shared/words.ts";

/** The files of one language. */
export interface Speech {
  /** The folder's name holds a hash of the words, so that a browser may keep its files for ever. */
  readonly folder: string;
  /** The script that all pages need, with the words that all pages have. */
  readonly main: BundledFile;
  /** The words that only some pages need, by the names of their files; and those of all pages, for who changes the language. */
  readonly files: ReadonlyMap<string, BundledFile>;
}

export const wordsFile = (chapter: Chapter | "pages"): string => `words.${chapter}.js`;

/** The language of a folder, whatever words it was made of. */
export const languageOf = (folder: string): string => folder.split(".")[0] ?? "";

/**
 * Returns a function that puts the words of a language and the browser's part together. The words come at the beginning of the main script:
 * a file of their own would be a request more, and could be of another release than the script.
 */
export function createSpeeches(words: Words) {
  const made = new Map<string, { readonly of: Bundle; readonly speech: Promise<Speech> }>();
  return (bundle: Bundle, language: string): Promise<Speech> => {
    const known = made.get(language);
    if (known?.of === bundle) return known.speech;
    const speech = speechOf(bundle, language, words);
    made.set(language, { of: bundle, speech });
    return speech;
  };
}

async function speechOf({ main, files }: Bundle, language: string, words: Words): Promise<Speech> {
  // It brings the compressions of the runtime, which no start waits for.
  const { packText } = await import("./bundle.ts");
  const messages = (["pages", ...chapters] as const).map(
    (chapter) => [chapter, JSON.stringify(words.messages(language, chapter))] as const,
  );
  const script = files.find(({ name }) => name === main);
  if (script === undefined) throw new Error("the bundle has no script");
  const code = new TextDecoder().decode(Bun.gunzipSync(Buffer.from(script.gzip, "base64")));
  const spoken = `{"language":${JSON.stringify(language)},"messages":${messages[0]?.[1]}}`;
  return {
    folder: `${language}.${contentHash(JSON.stringify(messages)).slice(0, 12)}`,
    main: await packText(main, `const GATEHOUSE_WORDS=${spoken};${code}`),
    files: new Map(
      await Promise.all(
        messages.map(async ([chapter, text]) => {
          const name = wordsFile(chapter);
          return [name, await packText(name, `export default ${text};`)] as const;
        }),
      ),
    ),
  };
}
