/** @jsxImportSource #html */
import { preferredTags } from "../request/languages.ts";
import type { Brand } from "./brand/brand.ts";
import { writeDocument } from "./document.tsx";
import { Entry } from "./entry.tsx";
import { ConfiguredLink, inlineStyle } from "./jsx-runtime.ts";
import { hashSource, pagePolicy } from "./policy.ts";
import { commonStyle, entryStyle } from "./style/assets.ts";

/** What a page says in one language. */
export interface Said {
  readonly title: string;
  readonly text: string;
  /** The label of a button that leads to the product. */
  readonly way?: (product: string) => string;
}

export type StandalonePage = ReturnType<typeof standalonePage>;

/** A page that holds all that it shows and loads nothing, for when there is nothing else to be had. */
export function standalonePage(
  { inlineMark: mark, style }: Pick<Brand, "inlineMark" | "style">,
  said: Said,
  german: Said,
) {
  const sheet = `${commonStyle}${entryStyle}${style}`;
  const write = (language: string, { title, text, way }: Said): string =>
    writeDocument(
      <Entry language={language} title={title} style={inlineStyle(sheet)} mark={mark}>
        <p>{text}</p>
        {way !== undefined && (
          <ConfiguredLink look="button primary" href={mark.home}>
            {way(mark.product)}
          </ConfiguredLink>
        )}
      </Entry>,
    );
  const inEnglish = write("en", said);
  const pages = new Map([
    ["en", inEnglish],
    ["de", write("de", german)],
  ]);
  return {
    /** Returns the page in the first of the reader's languages (BCP 47) that it is written in, otherwise in English. */
    html({ headers }: Request): string {
      const tags = preferredTags(headers.get("accept-language") ?? "");
      const language = tags.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find((each) => pages.has(each));
      return pages.get(language ?? "en") ?? inEnglish;
    },
    /** A Content-Security-Policy that allows the one style sheet of the page, and loads nothing. */
    policy: pagePolicy({ style: hashSource(sheet), image: "data:" }),
  };
}
