import type { Elysia } from "elysia";
import type { Clock } from "../../core/clock.ts";
import type { AppError } from "../../core/errors.ts";
import { formOf, hidden, preferredTags, type RequestFacts } from "../../http/index.ts";
import { leadTo, showPage, type PageHead } from "../../http/pages/answer.ts";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import { regionalTag } from "../../words/index.ts";
import type { KitFrame } from "../frame/frame.ts";
import type { Refusals } from "../frame/refusals.ts";
import type { EntryForms } from "./entry.forms.ts";
import { TroublePage } from "./parts.tsx";
import { searchOf, type EntryView } from "./view.ts";

/** Makes a page for one request, whose words, tokens and refusal the view has. */
export type Make = (view: EntryView) => Html;
/** Returns how a page is made for one request. `named` is the query of the address, or the form that was sent. */
type MakeFor = (request: Request, head: PageHead, named: URLSearchParams) => Make | Promise<Make>;
/** The page that a form leads to, or the page that answers it. */
type Outcome = { readonly to: string } | { readonly make: Make };
type Work = (request: Request, head: PageHead, form: URLSearchParams) => Promise<Outcome>;

interface EntryOptions {
  readonly frame: KitFrame;
  readonly policy: string;
  readonly forms: EntryForms;
  readonly refusalOf: Refusals;
  readonly facts: RequestFacts;
  readonly clock: Clock;
}

const mostAsked = 5;

/** Serves pages for people who are not signed in, and their forms. A refused form comes back as its page, with the typed text. */
export function createEntryPages({ frame, policy, forms, refusalOf, facts, clock }: EntryOptions) {
  function viewOf(request: Request, head: PageHead, typed: URLSearchParams, refusal?: AppError): EntryView {
    // An app may have asked for a language on behalf of its visitor (OpenID Connect Core §3.1.2.1).
    const asked = searchOf(request).get("ui_locales")?.split(" ", mostAsked) ?? [];
    const tags = [...asked, ...preferredTags(request.headers.get("accept-language") ?? "")];
    const { words } = frame;
    const language = words.pick(tags);
    head.headers["vary"] = "Accept-Language";
    return {
      frame,
      href: frame.href,
      language,
      words: { ...words.say(language, "pages"), tag: regionalTag(language, tags) },
      ownWords: { ...words.say(language, "links"), ...words.say(language, "entry") },
      token: forms.tokenOf(head, request),
      search: searchOf(request),
      typed,
      refusal,
      requestId: facts.requestId(request),
      now: clock.now(),
    };
  }

  const show = (request: Request, head: PageHead, make: Make, status?: number): string =>
    showPage(head, make(viewOf(request, head, new URLSearchParams())), policy, status);

  /** The page with what the refusal says. */
  function refuse(request: Request, head: PageHead, make: Make, typed: URLSearchParams, error: unknown): string {
    const refusal = refusalOf(request, head, error);
    return showPage(head, make(viewOf(request, head, typed, refusal)), policy, refusal.status);
  }

  /** Answers with the result of `work`, or with a page that tells of its failure. The page assumes nothing about its reader. */
  async function attempt<T>(request: Request, head: PageHead, work: () => Promise<T>): Promise<T | string> {
    try {
      return await work();
    } catch (error) {
      return refuse(request, head, (view) => TroublePage({ view }), new URLSearchParams(), error);
    }
  }

  /** Does the work of a form that carries the token of this browser. */
  async function submit(request: Request, head: PageHead, body: unknown, make: Make, work: Work): Promise<string> {
    let typed = new URLSearchParams();
    try {
      typed = formOf(body);
      forms.check(request, typed);
      const outcome = await work(request, head, typed);
      if ("to" in outcome) return leadTo(head, outcome.to);
      return showPage(head, outcome.make(viewOf(request, head, typed)), policy);
    } catch (error) {
      return refuse(request, head, make, typed, error);
    }
  }

  return {
    show,
    attempt,

    /** Answers the form that is posted to the path. The page of the form comes back where it is refused. */
    form: (path: string, makeFor: MakeFor, work: Work) => (app: Elysia) =>
      app.post(
        path,
        ({ request, set, body }) =>
          attempt(request, set, async () => {
            const named = body instanceof URLSearchParams ? body : searchOf(request);
            return submit(request, set, body, await makeFor(request, set, named), work);
          }),
        hidden,
      ),

    /** Answers a GET of the path with a page. `check` throws the refusal with which the page is shown to everybody. */
    page: (path: string, makeFor: MakeFor, check?: () => void) => (app: Elysia) =>
      app.get(
        path,
        ({ request, set }) =>
          attempt(request, set, async () => {
            const make = await makeFor(request, set, searchOf(request));
            try {
              check?.();
            } catch (error) {
              return refuse(request, set, make, new URLSearchParams(), error);
            }
            return show(request, set, make);
          }),
        hidden,
      ),
  };
}

export type EntryPages = ReturnType<typeof createEntryPages>;
