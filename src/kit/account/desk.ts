import type { PageAuth, PageFactors, PageOwn } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { leadTo, showPage, type PageHead } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import type { Notices } from "../frame/notices.ts";
import type { Refusals } from "../frame/refusals.ts";
import type { ConnectedApps } from "../holdings/apps.pages.tsx";
import { createPersonPages, type Outcome, type PersonPages, type Place } from "../pages.ts";
import { signInAgain } from "../proof/proof.page.tsx";
import type { EntryPages } from "../sign.in/entry.ts";
import { accountPath, twoStepPath, type AccountContext } from "./context.ts";
import type { createContexts } from "./contexts.ts";
import { RefusalPage } from "./refusal.page.tsx";

/** Whether a page is open to who has to set up a second factor first. Every other page leads them there. */
export interface Access {
  readonly isOpenWithoutFactor?: boolean;
}

interface DeskOptions {
  readonly auth: PageAuth;
  readonly href: (path: string) => string;
  readonly policy: string;
  readonly tokens: ReturnType<typeof createFormTokens>;
  readonly notices: Notices;
  readonly entry: EntryPages;
  readonly refusalOf: Refusals;
  readonly contextOf: ReturnType<typeof createContexts>;
}

export type AccountPages = PersonPages<AccountContext, Access>;

/** What every table of routes of the account is made of. */
export interface Desk {
  readonly pages: AccountPages;
  readonly auth: Pick<PageAuth, "clientOf">;
  readonly own: PageOwn;
  readonly factors: PageFactors;
  /** What programs hold for people; undefined where none signs people in here. */
  readonly apps: ConnectedApps | undefined;
  /** Whether people make tokens for their scripts. */
  readonly hasTokens: boolean;
}

/** Leads back to the account, which says what was done. */
export const done = (text: string): Outcome => ({ to: accountPath, notice: { kind: "good", text } });

/** Makes the two functions by which every route of the account is made. */
export function createAccountPages(options: DeskOptions): AccountPages {
  const { href, policy, refusalOf, contextOf } = options;
  return createPersonPages<AccountContext, Access>({
    ...options,

    admit: (request, head, viewer, { isOpenWithoutFactor = false }) =>
      viewer.isFactorMissing && !isOpenWithoutFactor
        ? leadTo(head, href(twoStepPath))
        : contextOf(request, head, viewer),

    /** The account is its viewer's own. Staff in the person's name look at it, and every act is the person's alone. */
    requireAccess({ impersonator, request }) {
      if (impersonator !== null && request.method !== "GET") throw new AppError("impersonated");
    },

    refuse(request: Request, head: PageHead, context: AccountContext, error: unknown, { next, back }: Place<Access>) {
      const refusal = refusalOf(request, head, error);
      if (refusal.reason === "unauthorized")
        return leadTo(head, `${href("/login")}?next=${encodeURIComponent(href(next))}`);
      if (refusal.reason === "reauthentication_required") return leadTo(head, signInAgain(href, next));
      const page = RefusalPage({ context, refusal, back: back === "/" ? accountPath : back });
      return showPage(head, page, policy, refusal.status);
    },
  });
}
