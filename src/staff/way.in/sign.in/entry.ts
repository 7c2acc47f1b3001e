import type { Clock } from "../../../core/clock.ts";
import type { AppError } from "../../../core/errors.ts";
import { formOf, preferredTags, type RequestFacts } from "../../../http/index.ts";
import { leadTo, showPage, type PageHead } from "../../../http/pages/answer.ts";
import type { Html } from "../../../http/pages/jsx-runtime.ts";
import { pickLanguage, wordsIn } from "../../../account/shared/words/index.ts";
import type { StaffFrame } from "../../frame/context.ts";
import type { EntryForms } from "../entry.forms.ts";
import type { Refusals } from "../../frame/refusals.ts";
import { searchOf, type EntryView } from "./view.ts";
import { TroublePage } from "./trouble.page.tsx";
import { entryWords } from "./words.ts";

type Make = (view: EntryView) => Html;
/** The page that a form leads to, or the page that answers it. */
type Outcome = { readonly to: string } | { readonly make: Make; readonly status?: number };

interface EntryOptions {
  readonly frame: StaffFrame;
  readonly policy: string;
  readonly forms: EntryForms;
  readonly refusalOf: Refusals;
  readonly facts: RequestFacts;
  readonly clock: Clock;
}

/** Serves pages for people who are not signed in, and their forms. A refused form comes back as its page, with the typed text. */
export function createEntryPages({ frame, policy, forms, refusalOf, facts, clock }: EntryOptions) {
  function viewOf(request: Request, head: PageHead, typed: URLSearchParams, refusal?: AppError): EntryView {
    const tags = preferredTags(request.headers.get("accept-language") ?? "");
    const language = pickLanguage(tags);
    head.headers["vary"] = "Accept-Language";
    return {
      frame,
      href: frame.href,
      language,
      words: wordsIn(language, tags),
      ownWords: entryWords[language],
      token: forms.tokenOf(head, request),
      search: searchOf(request),
      typed,
      refusal,
      requestId: facts.requestId(request),
      now: clock.now(),
    };
  }

  /** The page with what the refusal says. */
  function refuse(request: Request, head: PageHead, make: Make, typed: URLSearchParams, error: unknown): string {
    const refusal = refusalOf(request, head, error);
    return showPage(head, make(viewOf(request, head, typed, refusal)), policy, refusal.status);
  }

  return {
    show: (request: Request, head: PageHead, make: Make, status?: number): string =>
      showPage(head, make(viewOf(request, head, new URLSearchParams())), policy, status),

    /** Answers with the result of `work`, or with a page that tells of its failure. The page assumes nothing about its reader. */
    async attempt<T>(request: Request, head: PageHead, work: () => Promise<T>): Promise<T | string> {
      try {
        return await work();
      } catch (error) {
        return refuse(request, head, (view) => TroublePage({ view }), new URLSearchParams(), error);
      }
    },

    /** Does the work of a form that carries the token of this browser. */
    async submit(
      request: Request,
      head: PageHead,
      body: unknown,
      make: Make,
      work: (form: URLSearchParams) => Promise<Outcome>,
    ): Promise<string> {
      let typed = new URLSearchParams();
      try {
        typed = formOf(body);
        forms.check(request, typed);
        const outcome = await work(typed);
        if ("to" in outcome) return leadTo(head, outcome.to);
        return showPage(head, outcome.make(viewOf(request, head, typed)), policy, outcome.status);
      } catch (error) {
        return refuse(request, head, make, typed, error);
      }
    },
  };
}

export type EntryPages = ReturnType<typeof createEntryPages>;
