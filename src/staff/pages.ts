import type { Elysia } from "elysia";
import type { Audit } from "../audit/index.ts";
import type { PageAuth } from "../auth/index.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { isStaff, type StaffAct } from "../core/people/staff.ts";
import { formOf, hidden, type RequestFacts } from "../http/index.ts";
import { leadTo, showPage, type PageHead } from "../http/pages/answer.ts";
import type { createFormTokens } from "../http/pages/form.tokens.ts";
import type { Html } from "../http/pages/jsx-runtime.ts";
import { twoStepPath, urlOf, type StaffContext, type StaffFrame } from "./frame/context.ts";
import { createContexts } from "./frame/contexts.ts";
import type { createNotices, Notice } from "./frame/notices.ts";
import { RefusalPage, type Refusals } from "./frame/refusals.tsx";
import { isProof, ProofPage, proofError } from "./way.in/proof.page.tsx";
import type { EntryPages } from "./way.in/sign.in/entry.ts";
import { ForbiddenPage } from "./way.in/sign.in/sign.in.page.tsx";
import type { EntryView } from "./way.in/sign.in/view.ts";

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
  readonly uses: Audit["uses"];
  readonly clock: Clock;
}

/** Leads to another page of the app. */
interface Redirect {
  readonly to: string;
}

/** The end of an act: another page with a notice of the result, or a page made by the act, such as a form with its faults. */
type Outcome = (Redirect & { readonly notice?: Notice }) | { readonly page: Html; readonly refusal?: AppError };

interface Access {
  /** The act that the page or the form serves. A reader whose roles are not enough for it gets a page that says so. */
  readonly may: StaffAct;
  /** Whether the page is open to staff who have to set up a second factor first. Every other page leads them here. */
  readonly isOpenWithoutFactor?: boolean;
}

interface ActOptions extends Access {
  /** The page with the form of the act. A person who was signed out or refused comes back to it. */
  readonly back: string;
  /** Whether the act would hurt in other hands. It then needs a new proof where the last one is more than ten minutes old. */
  readonly isDangerous?: boolean;
}

/** Where a request is: what it is for, where somebody goes after signing in, and where after a refusal. */
interface Place {
  readonly next: string;
  readonly back: string;
  readonly access: Access;
  /** What the address names, such as an id. */
  readonly named: string;
}

type Made = Html | Redirect | Response;
type Make = (context: StaffContext, named: string) => Promise<Made> | Made;
type Work = (context: StaffContext, form: URLSearchParams, named: string) => Promise<Outcome>;

/** Returns what the address names: the one parameter of a path, where it has one. The router gives no parameters of other paths. */
const namedIn = (params: Readonly<Record<string, string>> | undefined): string => Object.values(params ?? {}).join("");

const pathOf = (address: string): string => new URL(address, "http://localhost").pathname;

export type StaffPages = ReturnType<typeof createStaffPages>;

/** Makes the two functions by which every route for staff is made. They check the viewer, so that no route needs a check of its own. */
export function createStaffPages(options: StaffPagesOptions) {
  const { auth, frame, policy, tokens, notices, entry, refusalOf, facts, uses } = options;

  const contextOf = createContexts(options);
  const show = (head: PageHead, page: Html, status?: number): string => showPage(head, page, policy, status);

  /** Throws `forbidden` to whom none of their roles lets do it. */
  function requireRole({ may }: StaffContext, act: StaffAct): void {
    if (!may(act)) throw new AppError("forbidden");
  }

  /** Records what somebody of the staff may not do, with the account that the address names. */
  function recordRefusal({ by }: StaffContext, act: StaffAct, named: string): void {
    const payload = { user_id: act.startsWith("people.") && isId(named) ? named : null, count: 1 };
    uses.add(`staff ${by.userId} ${act} ${payload.user_id ?? ""}`, {
      occurrence: { topic: "staff.refused", payload, by, outcome: "failure", reason: act },
    });
  }

  function refuse(
    request: Request,
    head: PageHead,
    context: StaffContext,
    error: unknown,
    { back, access: { may }, named }: Place,
  ): string {
    const refusal = refusalOf(request, head, error);
    if (refusal.reason === "forbidden") recordRefusal(context, may, named);
    const requestId = facts.requestId(request);
    return show(head, RefusalPage({ context, refusal, requestId, back, act: may }), refusal.status);
  }

  /**
   * Returns the context for a member of staff. Answers everybody else: leads them to the sign-in and from there to `next`, or refuses them.
   */
  async function enter(
    request: Request,
    head: PageHead,
    next: string,
    { may, isOpenWithoutFactor = false }: Access,
  ): Promise<StaffContext | string> {
    const viewer = await auth.viewerOf(request, head);
    if (viewer === undefined)
      return leadTo(head, `${frame.href("/login")}?next=${encodeURIComponent(frame.href(next))}`);
    if (isStaff(viewer.roles))
      return viewer.isFactorMissing && !isOpenWithoutFactor
        ? leadTo(head, frame.href(twoStepPath))
        : contextOf(request, head, viewer, may);
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
    { may, back, isDangerous = false }: ActOptions,
    context: StaffContext,
    work: (context: StaffContext, form: URLSearchParams) => Promise<Outcome>,
  ): Promise<string> {
    const session = context.viewer.session.id;
    const form = formOf(body);
    tokens.check(session, form);
    requireRole(context, may);
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
    place: Place,
    work: (context: StaffContext) => Promise<string | Response>,
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
    /** Answers a GET of the path with a page for staff, a redirect or a file. `make` gets what the path names, such as an id. */
    page: (path: string, access: StaffAct | Access, make: Make) => (app: Elysia) =>
      app.get(
        path,
        ({ request, set, params }) => {
          const { pathname, search } = urlOf(request);
          const named = namedIn(params);
          const open = typeof access === "string" ? { may: access } : access;
          const place = { next: `${pathname}${search}`, back: "/", access: open, named };
          return answer(request, set, place, async (context) => {
            requireRole(context, open.may);
            const made = await make(context, named);
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
          return answer(request, set, { next: act.back, back: act.back, access: act, named }, (context) =>
            perform(request, set, body, act, context, (who, form) => work(who, form, named)),
          );
        },
        hidden,
      ),
  };
}
