import type { Elysia } from "elysia";
import { adminRole, type PageAuth, type Viewer } from "../auth/index.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { formOf, hidden, type RequestFacts } from "../http/index.ts";
import { leadTo, showPage, type PageHead } from "../http/pages/answer.ts";
import type { createFormTokens } from "../http/pages/form.tokens.ts";
import type { Html } from "../http/pages/jsx-runtime.ts";
import { twoStepPath, type StaffContext, type StaffFrame } from "./frame/context.ts";
import type { createNotices, Notice } from "./frame/notices.ts";
import { RefusalPage, type Refusals } from "./frame/refusals.tsx";
import { isProof, ProofPage, proofError } from "./way.in/proof.page.tsx";
import type { EntryPages } from "./way.in/sign.in/entry.ts";
import { ForbiddenPage } from "./way.in/sign.in/sign.in.page.tsx";
import type { EntryView } from "./way.in/sign.in/view.ts";
import { createTimes } from "./frame/times.ts";

interface StaffPagesOptions {
  readonly auth: PageAuth;
  readonly frame: StaffFrame;
  readonly policy: string;
  readonly tokens: ReturnType<typeof createFormTokens>;
  readonly notices: ReturnType<typeof createNotices>;
  /** Pages for people who are not staff: failures before the viewer was known, and the page that says that staff alone may enter. */
  readonly entry: Pick<EntryPages, "attempt" | "show">;
  readonly refusalOf: Refusals;
  /** Whether a path looks absent to a request. */
  readonly isAbsent: (request: Request, path: string) => boolean;
  readonly facts: RequestFacts;
  readonly clock: Clock;
}

/** Leads to another page of the app. */
interface Redirect {
  readonly to: string;
}

/** The end of an act: another page with a notice of the result, or a page made by the act, such as a form with its faults. */
type Outcome = (Redirect & { readonly notice?: Notice }) | { readonly page: Html; readonly refusal?: AppError };

interface Access {
  /** Whether the page is open to staff who have to set up a second factor first. Every other page leads them here. */
  readonly isOpenWithoutFactor?: boolean;
}

interface ActOptions extends Access {
  /** The page with the form of the act. A person who was signed out or refused comes back to it. */
  readonly back: string;
  /** Whether the act would hurt in other hands. It then needs a new proof where the last one is more than ten minutes old. */
  readonly isDangerous?: boolean;
}

type Made = Html | Redirect | Response;
type Make = (context: StaffContext, named: string) => Promise<Made> | Made;
type Work = (context: StaffContext, form: URLSearchParams, named: string) => Promise<Outcome>;

/** Returns what the address names: the one parameter of a path, where it has one. The router gives no parameters of other paths. */
const namedIn = (params: Readonly<Record<string, string>> | undefined): string => Object.values(params ?? {}).join("");

/** Reads the URL of a request. Only the path and the query count: a proxy may have changed the host. */
const urlOf = ({ url }: Request): URL => new URL(url, "http://localhost");
const pathOf = (address: string): string => new URL(address, "http://localhost").pathname;

export type StaffPages = ReturnType<typeof createStaffPages>;

/** Makes the two functions by which every route for staff is made. They check the viewer, so that no route needs a check of its own. */
export function createStaffPages(options: StaffPagesOptions) {
  const { auth, frame, policy, tokens, notices, entry, refusalOf, isAbsent, facts, clock } = options;

  function contextOf(request: Request, head: PageHead, viewer: Viewer): StaffContext {
    const { pathname, searchParams } = urlOf(request);
    const { session } = viewer;
    const { address, userAgent, requestId } = auth.clientOf(request);
    const reaches = (path: string): boolean => !isAbsent(request, path);
    return {
      request,
      frame: { ...frame, navigation: frame.navigation.filter(({ path }) => reaches(path)) },
      href: frame.href,
      reaches,
      viewer,
      token: tokens.tokenOf(session.id),
      by: { actor: "staff", userId: session.userId, origin: { address, userAgent, requestId } },
      path: pathname,
      search: searchParams,
      times: createTimes(session.timezone, clock.now()),
      notice: request.method === "GET" ? notices.take(head, request, session.id, pathname) : undefined,
    };
  }

  const show = (head: PageHead, page: Html, status?: number): string => showPage(head, page, policy, status);

  function refuse(request: Request, head: PageHead, context: StaffContext, error: unknown, back: string): string {
    const refusal = refusalOf(request, head, error);
    return show(head, RefusalPage({ context, refusal, requestId: facts.requestId(request), back }), refusal.status);
  }

  /**
   * Returns the context for a member of staff. Answers everybody else: leads them to the sign-in and from there to `next`, or refuses them.
   */
  async function enter(
    request: Request,
    head: PageHead,
    next: string,
    { isOpenWithoutFactor = false }: Access,
  ): Promise<StaffContext | string> {
    const viewer = await auth.viewerOf(request, head);
    if (viewer === undefined)
      return leadTo(head, `${frame.href("/login")}?next=${encodeURIComponent(frame.href(next))}`);
    if (viewer.roles.includes(adminRole))
      return viewer.isFactorMissing && !isOpenWithoutFactor
        ? leadTo(head, frame.href(twoStepPath))
        : contextOf(request, head, viewer);
    auth.refused(new AppError("forbidden"));
    const { id, username } = viewer.session;
    const refusal = (view: EntryView) => ForbiddenPage({ view: { ...view, token: tokens.tokenOf(id) }, username });
    return entry.show(request, head, refusal, 403);
  }

  /**
   * Returns undefined where a proof is minutes old or came with the form. Otherwise returns the page that asks for a proof: it holds the
   * content of the form, and sends it again with the proof.
   */
  async function askForProof(
    request: Request,
    head: PageHead,
    context: StaffContext,
    form: URLSearchParams,
    back: string,
  ): Promise<string | undefined> {
    if (context.viewer.isProven) return undefined;
    const ask = async (refusal: AppError): Promise<string> => {
      auth.refused(refusal);
      const options = await auth.proofOptions(context.viewer);
      const error = proofError(refusal, context.times);
      return show(head, ProofPage({ context, action: context.path, form, back, error, ...options }), refusal.status);
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
    { back, isDangerous = false }: ActOptions,
    context: StaffContext,
    work: (context: StaffContext, form: URLSearchParams) => Promise<Outcome>,
  ): Promise<string> {
    const session = context.viewer.session.id;
    const form = formOf(body);
    tokens.check(session, form);
    const asked = isDangerous ? await askForProof(request, head, context, form, back) : undefined;
    if (asked !== undefined) return asked;
    const outcome = await work(context, form);
    if ("page" in outcome) {
      if (outcome.refusal !== undefined) auth.refused(outcome.refusal);
      return show(head, outcome.page, outcome.refusal?.status);
    }
    if (outcome.notice !== undefined) notices.keep(head, request, session, pathOf(outcome.to), outcome.notice);
    return leadTo(head, frame.href(outcome.to));
  }

  /** Answers by `work` with the context of a member of staff, or with a page that says why not, from which the reader goes on to `back`. */
  const answer = (
    request: Request,
    head: PageHead,
    { next, back, access }: { readonly next: string; readonly back: string; readonly access: Access },
    work: (context: StaffContext) => Promise<string | Response>,
  ): Promise<string | Response> =>
    entry.attempt(request, head, async () => {
      const context = await enter(request, head, next, access);
      if (typeof context === "string") return context;
      try {
        return await work(context);
      } catch (error) {
        return refuse(request, head, context, error, back);
      }
    });

  return {
    /** Answers a GET of the path with a page for staff, a redirect or a file. `make` gets what the path names, such as an id. */
    page:
      (path: string, make: Make, access: Access = {}) =>
      (app: Elysia) =>
        app.get(
          path,
          ({ request, set, params }) => {
            const { pathname, search } = urlOf(request);
            return answer(request, set, { next: `${pathname}${search}`, back: "/", access }, async (context) => {
              const made = await make(context, namedIn(params));
              if (made instanceof Response) return made;
              return "to" in made ? leadTo(set, frame.href(made.to)) : show(set, made);
            });
          },
          hidden,
        ),

    /** Does the act of a form that is posted to the path, and redirects, so that reloading the next page does not repeat the act. */
    act: (path: string, options: ActOptions | ((named: string) => ActOptions), work: Work) => (app: Elysia) =>
      app.post(
        path,
        ({ request, set, params, body }) => {
          const named = namedIn(params);
          const act = typeof options === "function" ? options(named) : options;
          return answer(request, set, { next: act.back, back: act.back, access: act }, (context) =>
            perform(request, set, body, act, context, (who, form) => work(who, form, named)),
          );
        },
        hidden,
      ),
  };
}
