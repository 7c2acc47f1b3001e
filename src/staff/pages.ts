import type { Elysia } from "elysia";
import type { Audit } from "../audit/index.ts";
import type { PageAuth, Viewer } from "../auth/index.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { isId } from "../core/ids.ts";
import { isStaff, type StaffAct } from "../core/people/staff.ts";
import type { RequestFacts } from "../http/index.ts";
import { leadTo, showPage, type PageHead } from "../http/pages/answer.ts";
import type { createFormTokens } from "../http/pages/form.tokens.ts";
import {
  createPersonPages,
  type EntryPages,
  type EntryView,
  type Notices,
  type Place,
  type Refusals,
} from "../kit/index.ts";
import { twoStepPath, type StaffContext, type StaffFrame } from "./frame/context.ts";
import { createContexts } from "./frame/contexts.ts";
import { ForbiddenPage } from "./frame/forbidden.page.tsx";
import { RefusalPage } from "./frame/refusals.tsx";

interface StaffPagesOptions {
  readonly auth: PageAuth;
  readonly frame: StaffFrame;
  readonly policy: string;
  readonly tokens: ReturnType<typeof createFormTokens>;
  readonly notices: Notices;
  /** Pages for people who are not staff: failures before the viewer was known, and the page that says that staff alone may enter. */
  readonly entry: Pick<EntryPages, "attempt" | "show">;
  readonly refusalOf: Refusals;
  /** Whether a path looks absent to a request. */
  readonly isAbsent: (request: Request, path: string) => boolean;
  readonly facts: RequestFacts;
  readonly uses: Audit["uses"];
  readonly clock: Clock;
}

interface Access {
  /** The act that the page or the form serves. A reader whose roles are not enough for it gets a page that says so. */
  readonly may: StaffAct;
  /** Whether the page is open to staff who have to set up a second factor first. Every other page leads them here. */
  readonly isOpenWithoutFactor?: boolean;
}

export type StaffPages = ReturnType<typeof createStaffPages>;

/** Makes the two functions by which every route for staff is made. They check the viewer, so that no route needs a check of its own. */
export function createStaffPages(options: StaffPagesOptions) {
  const { auth, frame, policy, tokens, notices, entry, refusalOf, facts, uses } = options;
  const contextOf = createContexts(options);

  /** Records what somebody of the staff may not do, with the account that the address names. */
  function recordRefusal({ by }: StaffContext, act: StaffAct, named: string): void {
    const payload = { user_id: act.startsWith("people.") && isId(named) ? named : null, count: 1 };
    uses.add(`staff ${by.userId} ${act} ${payload.user_id ?? ""}`, {
      occurrence: { topic: "staff.refused", payload, by, outcome: "failure", reason: act },
    });
  }

  const pages = createPersonPages<StaffContext, Access>({
    auth,
    href: frame.href,
    policy,
    tokens,
    notices,
    entry,
    refusalOf,

    admit(request: Request, head: PageHead, viewer: Viewer, { may, isOpenWithoutFactor = false }) {
      if (isStaff(viewer.roles))
        return viewer.isFactorMissing && !isOpenWithoutFactor
          ? leadTo(head, frame.href(twoStepPath))
          : contextOf(request, head, viewer, may);
      auth.refused(new AppError("forbidden"));
      const { id, username } = viewer.session;
      const refusal = (view: EntryView) => ForbiddenPage({ view: { ...view, token: tokens.tokenOf(id) }, username });
      return entry.show(request, head, refusal, 403);
    },

    /** Throws `forbidden` to whom none of their roles lets do it. */
    requireAccess(context, { may }) {
      if (!context.may(may)) throw new AppError("forbidden");
    },

    refuse(request, head, context, error, { back, access: { may }, named }: Place<Access>) {
      const refusal = refusalOf(request, head, error);
      if (refusal.reason === "forbidden") recordRefusal(context, may, named);
      const requestId = facts.requestId(request);
      return showPage(head, RefusalPage({ context, refusal, requestId, back, act: may }), policy, refusal.status);
    },
  });

  return {
    ...pages,

    /** Answers a GET of the path with a page for staff, a redirect or a file. `make` gets what the path names, such as an id. */
    page: (path: string, access: StaffAct | Access, make: Parameters<typeof pages.page>[2]) => (app: Elysia) =>
      pages.page(path, typeof access === "string" ? { may: access } : access, make)(app),
  };
}
