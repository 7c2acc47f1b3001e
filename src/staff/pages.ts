import { adminRole, type PageAuth, type Viewer } from "../auth/index.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { formOf, type RequestFacts } from "../http/index.ts";
import { leadTo, showPage, type PageHead } from "../http/pages/answer.ts";
import type { createFormTokens } from "../http/pages/form.tokens.ts";
import type { Html } from "../http/pages/jsx-runtime.ts";
import type { StaffContext, StaffFrame } from "./frame/context.ts";
import type { createNotices, Notice } from "./frame/notices.ts";
import { proofError } from "./way.in/proof.error.ts";
import { isProof, ProofPage } from "./way.in/proof.page.tsx";
import { RefusalPage } from "./frame/refusal.page.tsx";
import type { Refusals } from "./frame/refusals.ts";
import type { EntryPages } from "./way.in/sign.in/entry.ts";
import { ForbiddenPage } from "./way.in/sign.in/forbidden.page.tsx";
import type { EntryView } from "./way.in/sign.in/view.ts";
import { createTimes } from "./frame/times.ts";
import { path as twoStepPath } from "./way.in/two.step/path.ts";

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

type Work = (context: StaffContext, form: URLSearchParams) => Promise<Outcome>;

/** Reads the URL of a request. Only the path and the query count: a proxy may have changed the host. */
const urlOf = ({ url }: Request): URL => new URL(url, "http://localhost");
const pathOf = (address: string): string => new URL(address, "http://localhost").pathname;

export type StaffPages = ReturnType<typeof createStaffPages>;

/** Makes the two functions by which every route for staff answers. They check the viewer, so that no route needs a check of its own. */
export function createStaffPages(options: StaffPagesOptions) {
  const { auth, frame, policy, tokens, notices, entry, refusalOf, isAbsent, facts, clock } = options;

  function contextOf(request: Request, head: PageHead, viewer: Viewer): StaffContext {
    const { pathname, searchParams } = urlOf(request);
    const { session } = viewer;
    const { address, userAgent, requestId } = auth.clientOf(request);
    const reaches = (path: string): boolean => !isAbsent(request, path);
    return {
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
    work: Work,
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

  return {
    /** Answers a GET with a page for staff, a redirect or a file. */
    page: (
      request: Request,
      head: PageHead,
      make: (context: StaffContext) => Promise<Html | Redirect | Response> | Html | Redirect | Response,
      access: Access = {},
    ): Promise<string | Response> =>
      entry.attempt(request, head, async () => {
        const { pathname, search } = urlOf(request);
        const context = await enter(request, head, `${pathname}${search}`, access);
        if (typeof context === "string") return context;
        try {
          const made = await make(context);
          if (made instanceof Response) return made;
          return "to" in made ? leadTo(head, frame.href(made.to)) : show(head, made);
        } catch (error) {
          return refuse(request, head, context, error, "/");
        }
      }),

    /** Does the act of a form and redirects, so that reloading the next page does not repeat the act. */
    act: (request: Request, head: PageHead, body: unknown, options: ActOptions, work: Work): Promise<string> =>
      entry.attempt(request, head, async () => {
        const context = await enter(request, head, options.back, options);
        if (typeof context === "string") return context;
        try {
          return await perform(request, head, body, options, context, work);
        } catch (error) {
          return refuse(request, head, context, error, options.back);
        }
      }),
  };
}
