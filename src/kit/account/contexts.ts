import type { PageOwn, Viewer } from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { preferredTags, type RequestFacts } from "../../http/index.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import type { KitFrame } from "../frame/frame.ts";
import type { Notices } from "../frame/notices.ts";
import { speechIn } from "../frame/speech.ts";
import { createTimes } from "../frame/times.ts";
import { urlOf } from "../pages.ts";
import { twoStepPath, type AccountContext } from "./context.ts";
import { AccountFrame } from "./frame.tsx";

interface ContextOptions {
  readonly own: Pick<PageOwn, "impersonatorOf" | "user">;
  readonly frame: KitFrame;
  readonly tokens: Pick<ReturnType<typeof createFormTokens>, "tokenOf">;
  readonly notices: Pick<Notices, "take">;
  readonly facts: RequestFacts;
  readonly clock: Clock;
}

/** Makes what pages and acts know of a request by a signed-in person, whose profile says in which language and zone they read. */
export const createContexts =
  ({ own, frame, tokens, notices, facts, clock }: ContextOptions) =>
  async (request: Request, head: PageHead, viewer: Viewer): Promise<AccountContext> => {
    const [user, impersonator] = await Promise.all([own.user(viewer), own.impersonatorOf(viewer)]);
    const tags = preferredTags(request.headers.get("accept-language") ?? "");
    const wanted = [...(user.locale === null ? [] : [user.locale]), ...tags];
    const speech = speechIn(frame.words, frame.words.pick(wanted), wanted);
    const { now } = speech.words.time;
    const { pathname } = urlOf(request);
    const context: AccountContext = {
      request,
      head,
      frame,
      user,
      impersonator,
      tags,
      viewer,
      speech,
      product: frame.mark.product,
      token: tokens.tokenOf(viewer.session.id),
      path: pathname,
      twoStepPath,
      times: createTimes({
        zone: user.timezone,
        now: clock.now(),
        tag: speech.words.tag,
        words: { justNow: now, soon: now },
      }),
      notice: request.method === "GET" ? notices.take(head, request, viewer.session.id, pathname) : undefined,
      requestId: facts.requestId(request),
      href: frame.href,
      page: (content) => AccountFrame({ context, ...content }),
    };
    return context;
  };
