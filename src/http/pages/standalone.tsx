/** @jsxImportSource #html */
import { preferredTags } from "../request/languages.ts";
import type { Brand } from "./brand/brand.ts";
import { writeDocument } from "./document.tsx";
import { Entry } from "./entry.tsx";
import { ConfiguredLink, inlineStyle } from "./jsx-runtime.ts";
import { hashSource, pagePolicy } from "./policy.ts";
import type { Words } from "../../words/index.ts";
import { commonStyle, entryStyle } from "./style/assets.ts";

/** What a page says in one language. */
export interface Said {
  readonly title: string;
  readonly text: string;
  /** The label of a button that leads to the product. */
  readonly way?: string;
}

export type StandalonePage = ReturnType<typeof standalonePage>;

/**
 * A page that holds all that it shows and loads nothing, for when there is nothing else to be had. It is written when the first reader of a
 * language comes: a start should not pay for it.
 */
export function standalonePage({ mark, look }: Brand["alone"], words: Words, saidIn: (language: string) => Said) {
  const written = new Map<string, string>();
  const sheetOf = (): string => `${commonStyle}${entryStyle}${look.style}`;
  function write(language: string): string {
    const { title, text, way } = saidIn(language);
    return writeDocument(
      <Entry language={language} title={title} style={inlineStyle(sheetOf())} schemes={look.schemes} mark={mark}>
        <p>{text}</p>
        {way !== undefined && (
          <ConfiguredLink look="button primary" href={mark.home}>
            {way}
          </ConfiguredLink>
        )}
      </Entry>,
    );
  }
  let policy: string | undefined;
  return {
    /** Returns the page in the first of the reader's languages (BCP 47) that there are words in. */
    html({ headers }: Request): string {
      const language = words.pick(preferredTags(headers.get("accept-language") ?? ""));
      const page = written.get(language) ?? write(language);
      written.set(language, page);
      return page;
    },
    /** Returns a Content-Security-Policy that allows the one style sheet of the page, and loads nothing. */
    policy: (): string => (policy ??= pagePolicy({ ...look.sources, style: hashSource(sheetOf()), image: "data:" })),
  };
}
