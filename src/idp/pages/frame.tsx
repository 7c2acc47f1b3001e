/** @jsxImportSource #html */
import type { Browsing } from "../../auth/index.ts";
import type { English, Spoken, Words } from "../../words/index.ts";
import { preferredTags, type ResponseHead } from "../../http/index.ts";
import { showPage, type PageHead } from "../../http/pages/answer.ts";
import type { Brand } from "../../http/pages/brand/brand.ts";
import { PageStyle } from "../../http/pages/document.tsx";
import { Entry } from "../../http/pages/entry.tsx";
import type { Children, Html } from "../../http/pages/jsx-runtime.ts";
import { pagePolicy } from "../../http/pages/policy.ts";
import { commonStyle, createAsset, entryStyle } from "../../http/pages/style/assets.ts";
import send from "./send.script.js" with { type: "text" };
import own from "./style.css" with { type: "text" };
import { ImpersonationBar } from "./impersonation.bar.tsx";

export const styleAsset = createAsset("/oauth2/assets/pages.css", `${commonStyle}${entryStyle}${own}`);
export const scriptAsset = createAsset("/oauth2/assets/send.js", send);

export interface IdpHead extends ResponseHead, PageHead {
  headers: PageHead["headers"];
  status?: number | string;
}

/** A request and the head of its answer, as the router hands them over. */
export interface Visit {
  readonly request: Request;
  readonly set: IdpHead;
}

/** The words of these pages in one language. */
export type IdpWords = Spoken<English["programs"]>;

interface FrameOptions {
  readonly base: string;
  readonly words: Words;
  readonly brand: Pick<Brand, "mark" | "look">;
}

interface Shown {
  readonly title: string;
  readonly subtitle?: Children;
  /** Where forms of the page may lead, besides this host: browsers follow the redirect of a form only there. */
  readonly leadsTo?: string;
  readonly status?: number;
  /** The languages that the client has asked for, before those of the browser (OpenID Connect Core §3.1.2.1, `ui_locales`). */
  readonly locales?: string | undefined;
  /** Whether the page sends its form by itself. */
  readonly isSent?: boolean;
  /** Who is signed in: where staff act in their name, the page says so, and ends it. */
  readonly viewer?: Browsing | undefined;
  readonly content: Html;
}

/** Shows the pages of sign-ins for other programs. They need no script of a browser. */
export function createFrame({ base, words, brand }: FrameOptions) {
  const href = (path: string): string => `${base}${path}`;
  const style = PageStyle({ href: href(styleAsset.href), look: brand.look });
  const languageOf = ({ request: { headers } }: Visit, locales = ""): string =>
    words.pick([...locales.split(" "), ...preferredTags(headers.get("accept-language") ?? "")]);

  return {
    href,
    wordsFor: (visit: Visit, locales?: string): IdpWords => words.say(languageOf(visit, locales), "programs"),

    show(visit: Visit, shown: Shown): string {
      const { title, subtitle, leadsTo, status, locales, isSent = false, viewer, content } = shown;
      const { set } = visit;
      const back = viewer?.impersonator?.return_to ?? undefined;
      const page = (
        <Entry
          language={languageOf(visit, locales)}
          title={title}
          subtitle={subtitle}
          style={style}
          schemes={brand.look.schemes}
          script={isSent ? href(scriptAsset.href) : undefined}
          mark={brand.mark}
          above={
            viewer && (
              <ImpersonationBar
                viewer={viewer}
                words={words.say(languageOf(visit, locales), "programs").impersonation}
                href={href}
              />
            )
          }
        >
          {content}
        </Entry>
      );
      const policy = pagePolicy({
        ...brand.look.sources,
        image: "'self' data:",
        // Browsers follow the redirect of a form only to what is named here.
        form: ["'self'", leadsTo, back && new URL(back).origin].filter((source) => source !== undefined).join(" "),
        ...(isSent && { script: "'self'" }),
      });
      const html = showPage(set, page, policy, status);
      set.headers["vary"] = "Accept-Language";
      return html;
    },
  };
}

export type IdpFrame = ReturnType<typeof createFrame>;
