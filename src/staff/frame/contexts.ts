import type { PageAuth, Viewer } from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { preferredTags } from "../../http/index.ts";
import { mayDoTo, roleFor, staffRoles, type StaffAct } from "../../core/people/staff.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import { speechIn, urlOf, type Notices } from "../../kit/index.ts";
import { staffLanguageFor, staffWordsIn } from "../../words/staff.ts";
import { twoStepPath, type StaffContext, type StaffFrame } from "./context.ts";
import { StaffPage } from "./page.tsx";
import { createTimes } from "./times.ts";

interface ContextOptions {
  readonly auth: Pick<PageAuth, "clientOf">;
  readonly frame: StaffFrame;
  readonly tokens: Pick<ReturnType<typeof createFormTokens>, "tokenOf">;
  readonly notices: Pick<Notices, "take">;
  /** Whether a path looks absent to a request. */
  readonly isAbsent: (request: Request, path: string) => boolean;
  readonly clock: Clock;
}

/** Makes what pages and acts know of a request by one of the staff. `act` is what the request is for. */
export function createContexts({ auth, frame, tokens, notices, isAbsent, clock }: ContextOptions) {
  return (request: Request, head: PageHead, viewer: Viewer, act: StaffAct): StaffContext => {
    const { pathname, searchParams } = urlOf(request);
    const { session, roles } = viewer;
    const tags = preferredTags(request.headers.get("accept-language") ?? "");
    const wanted = session.locale === null ? tags : [session.locale, ...tags];
    const language = staffLanguageFor(wanted);
    const speech = speechIn(frame.words, language, wanted);
    const words = staffWordsIn(language);
    const { address, userAgent, requestId } = auth.clientOf(request);
    const reaches = (path: string): boolean => !isAbsent(request, path);
    const may = (what: StaffAct): boolean => roleFor(what, roles) !== undefined;
    // A request that is about to be refused is one by the strongest role of its reader.
    const role = roleFor(act, roles) ?? staffRoles.find((each) => roles.includes(each)) ?? "auditor";
    const context: StaffContext = {
      request,
      frame: { ...frame, navigation: frame.navigation.filter((link) => reaches(link.path) && may(link.may)) },
      href: frame.href,
      product: frame.mark.product,
      speech,
      words,
      count: (value) => new Intl.NumberFormat(language).format(value),
      twoStepPath,
      page: (content) => StaffPage({ context, ...content }),
      reaches,
      may,
      mayTo: (what, rolesOfSubject) => mayDoTo(what, roles, rolesOfSubject),
      viewer,
      token: tokens.tokenOf(session.id),
      by: { actor: "staff", userId: session.userId, role, origin: { address, userAgent, requestId } },
      path: pathname,
      search: searchParams,
      times: createTimes({ zone: session.timezone, now: clock.now(), speech, words: words.frame }),
      notice: request.method === "GET" ? notices.take(head, request, session.id, pathname) : undefined,
    };
    return context;
  };
}
