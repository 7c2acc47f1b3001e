import type { Clock, Millis } from "../../core/clock.ts";
import type { AppError } from "../../core/errors.ts";
import { formOf, preferredTags, toAppError, type RequestFacts } from "../../http/index.ts";
import { leadTo, showPage, type PageHead } from "../../http/pages/answer.ts";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import type { Log } from "../../observe/index.ts";
import { pickLanguage, wordsIn, type Language, type Words } from "../../account/shared/words/index.ts";
import type { StaffFrame } from "../context.ts";
import type { EntryForms } from "../entry.forms.ts";
import { entryWords, type EntryWords } from "./words.ts";

/** What a page of the sign-in knows of the request that asks for it. */
export interface EntryView {
  readonly frame: StaffFrame;
  readonly href: StaffFrame["href"];
  readonly language: Language;
  readonly words: Words;
  readonly ownWords: EntryWords;
  /** For the form of the page. */
  readonly token: string;
  /** What stands behind the question mark of the address. */
  readonly search: URLSearchParams;
  /** What was typed, where the form comes back. Passwords are never written into a page. */
  readonly typed: URLSearchParams;
  readonly refusal: AppError | undefined;
  readonly requestId: string;
  readonly now: Millis;
}

type Make = (view: EntryView) => Html;
/** Where a form leads, or the page that answers it. */
type Outcome = { readonly to: string } | { readonly make: Make; readonly status?: number };

interface EntryOptions {
  readonly frame: StaffFrame;
  readonly policy: string;
  readonly forms: EntryForms;
  readonly facts: RequestFacts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Pages for somebody who is not signed in, and their forms. A refusal comes back as the page itself, with what was typed. */
export function createEntryPages({ frame, policy, forms, facts, clock, log }: EntryOptions) {
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
      search: new URL(request.url, "http://localhost").searchParams,
      typed,
      refusal,
      requestId: facts.requestId(request),
      now: clock.now(),
    };
  }

  return {
    show: (request: Request, head: PageHead, make: Make, status?: number): string =>
      showPage(head, make(viewOf(request, head, new URLSearchParams())), policy, status),

    /** Does what the form asks for, once it has shown the token of this browser. */
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
        const refusal = toAppError(error);
        if (refusal.cause !== undefined)
          log.error("a sign-in page failed", { request_id: facts.requestId(request), error: refusal.cause });
        if (refusal.retryAfterSeconds !== undefined) head.headers["retry-after"] = String(refusal.retryAfterSeconds);
        return showPage(head, make(viewOf(request, head, typed, refusal)), policy, refusal.status);
      }
    },
  };
}

export type EntryPages = ReturnType<typeof createEntryPages>;
