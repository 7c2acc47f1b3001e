import type { Elysia } from "elysia";
import type { PageAuth, Viewer } from "../auth/index.ts";
import { AppError } from "../core/errors.ts";
import { formOf, hidden } from "../http/index.ts";
import { leadTo, showPage, type PageHead } from "../http/pages/answer.ts";
import type { createFormTokens } from "../http/pages/form.tokens.ts";
import type { Html } from "../http/pages/jsx-runtime.ts";
import type { PersonContext } from "./frame/context.ts";
import type { Notice, Notices } from "./frame/notices.ts";
import type { Refusals } from "./frame/refusals.ts";
import { isProof, ProofPage, proofError } from "./proof/proof.page.tsx";
import type { EntryPages } from "./sign.in/entry.ts";

/** Leads to another page of the app. */
interface Redirect {
  readonly to: string;
}

/**
 * The end of an act: another page with a notice of the result, a page made by the act, such as a form with its faults, a file, or an address
 * of the other app, which concerns nobody else.
 */
export type Outcome =
  | (Redirect & { readonly notice?: Notice })
  | { readonly page: Html; readonly refusal?: AppError }
  | { readonly file: Response }
  | { readonly away: string };

interface ActPlace {
  /** The page with the form of the act. A person who was signed out or refused comes back to it. */
  readonly back: string;
  /** Whether the act would hurt in other hands. It then needs a new proof where the last one is more than ten minutes old. */
  readonly isDangerous?: boolean;
}

/** Where a request is: what it is for, where somebody goes after signing in, and where after a refusal. */
export interface Place<Access> {
  readonly next: string;
  readonly back: string;
  readonly access: Access;
  /** What the address names, such as an id. */
  readonly named: string;
}

interface PersonPagesOptions<Context extends PersonContext, Access> {
  readonly auth: PageAuth;
  readonly href: (path: string) => string;
  readonly policy: string;
  readonly tokens: ReturnType<typeof createFormTokens>;
  readonly notices: Notices;
  /** Pages for whom the viewer is not known: failures before that. */
  readonly entry: Pick<EntryPages, "attempt">;
  readonly refusalOf: Refusals;
  /** Returns the context of a viewer who may come in here, or the answer to one who may not. */
  readonly admit: (
    request: Request,
    head: PageHead,
    viewer: Viewer,
    access: Access,
  ) => Promise<Context | string> | Context | string;
  /** Throws `forbidden` for a viewer who may come in, and may not see or do this. */
  readonly requireAccess: (context: Context, access: Access) => void;
  /** Answers a refusal by a page in the frame of the app. */
  readonly refuse: (request: Request, head: PageHead, context: Context, error: unknown, place: Place<Access>) => string;
}

type Made = Html | Redirect | Response;
type Make<Context> = (context: Context, named: string) => Promise<Made> | Made;
type Work<Context> = (context: Context, form: URLSearchParams, named: string) => Promise<Outcome>;

/** Returns what the address names: the one parameter of a path, where it has one. The router gives no parameters of other paths. */
const namedIn = (params: Readonly<Record<string, string>> | undefined): string => Object.values(params ?? {}).join("");

/** Reads the URL of a request. Only the path and the query count: a proxy may have changed the host. */
export const urlOf = ({ url }: Request): URL => new URL(url, "http://localhost");

const pathOf = (address: string): string => new URL(address, "http://localhost").pathname;

export type PersonPages<Context extends PersonContext, Access> = ReturnType<typeof createPersonPages<Context, Access>>;

/**
 * Makes the two functions by which every route for signed-in people is made. They check the viewer, the token of a form and a fresh proof,
 * so that no route needs a check of its own.
 */
export function createPersonPages<Context extends PersonContext, Access>(options: PersonPagesOptions<Context, Access>) {
  const { auth, href, policy, tokens, notices, entry, refusalOf, admit, requireAccess, refuse } = options;

  const show = (head: PageHead, page: Html, status?: number): string => showPage(head, page, policy, status);

  /** Returns the context of the viewer. Answers everybody else: leads them to the sign-in and from there to `next`, or refuses them. */
  async function enter(request: Request, head: PageHead, next: string, access: Access): Promise<Context | string> {
    const viewer = await auth.viewerOf(request, head);
    if (viewer === undefined) return leadTo(head, `${href("/login")}?next=${encodeURIComponent(href(next))}`);
    return admit(request, head, viewer, access);
  }

  /**
   * Returns undefined where a proof is minutes old or came with the form. Otherwise returns the page that asks for a proof: it holds the
   * content of the form, and sends it again with the proof.
   */
  async function askForProof(
    request: Request,
    head: PageHead,
    context: Context,
    form: URLSearchParams,
    back: string,
  ): Promise<string | undefined> {
    if (context.viewer.isProven) return undefined;
    const ask = async (refusal: AppError): Promise<string> => {
      auth.refused(refusal);
      const ways = await auth.proofOptions(context.viewer);
      const error = proofError(refusal, context);
      return show(head, ProofPage({ context, action: context.path, form, back, error, ...ways }), refusal.status);
    };
    if (!isProof(form)) return ask(new AppError("reauthentication_required"));
    try {
      await auth.prove(request, context.viewer, form);
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return await ask(refusalOf(request, head, error));
      throw error;
    }
  }

  async function perform(
    request: Request,
    head: PageHead,
    body: unknown,
    act: Access & ActPlace,
    context: Context,
    work: (context: Context, form: URLSearchParams) => Promise<Outcome>,
  ): Promise<string | Response> {
    const session = context.viewer.session.id;
    const form = formOf(body);
    tokens.check(session, form);
    requireAccess(context, act);
    const { isDangerous = false, back } = act;
    const asked = isDangerous ? await askForProof(request, head, context, form, back) : undefined;
    if (asked !== undefined) return asked;
    const outcome = await work(context, form);
    if ("file" in outcome) return outcome.file;
    if ("away" in outcome) {
      head.headers["referrer-policy"] = "no-referrer";
      return leadTo(head, outcome.away);
    }
    if ("page" in outcome) {
      if (outcome.refusal !== undefined) auth.refused(outcome.refusal);
      return show(head, outcome.page, outcome.refusal?.status);
    }
    if (outcome.notice !== undefined) notices.keep(head, request, session, pathOf(outcome.to), outcome.notice);
    return leadTo(head, href(outcome.to));
  }

  /** Answers by `work` with the context of the viewer, or with a page that says why not, from which the reader goes on to `back`. */
  const answer = (
    request: Request,
    head: PageHead,
    place: Place<Access>,
    work: (context: Context) => Promise<string | Response>,
  ): Promise<string | Response> =>
    entry.attempt(request, head, async () => {
      const context = await enter(request, head, place.next, place.access);
      if (typeof context === "string") return context;
      try {
        return await work(context);
      } catch (error) {
        return refuse(request, head, context, error, place);
      }
    });

  return {
    /** Answers a GET of the path with a page, a redirect or a file. `make` gets what the path names, such as an id. */
    page: (path: string, access: Access, make: Make<Context>) => (app: Elysia) =>
      app.get(
        path,
        ({ request, set, params }) => {
          const { pathname, search } = urlOf(request);
          const named = namedIn(params);
          return answer(request, set, { next: `${pathname}${search}`, back: "/", access, named }, async (context) => {
            requireAccess(context, access);
            const made = await make(context, named);
            if (made instanceof Response) return made;
            return "to" in made ? leadTo(set, href(made.to)) : show(set, made);
          });
        },
        hidden,
      ),

    /** Does the act of a form that is posted to the path, and redirects, so that reloading the next page does not repeat the act. */
    act:
      (path: string, options: (Access & ActPlace) | ((named: string) => Access & ActPlace), work: Work<Context>) =>
      (app: Elysia) =>
        app.post(
          path,
          ({ request, set, params, body }) => {
            const named = namedIn(params);
            const act = typeof options === "function" ? options(named) : options;
            return answer(request, set, { next: act.back, back: act.back, access: act, named }, (context) =>
              perform(request, set, body, act, context, (who, form) => work(who, form, named)),
            );
          },
          hidden,
        ),
  };
}
