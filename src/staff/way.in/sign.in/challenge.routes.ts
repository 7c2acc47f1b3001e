import { Elysia } from "elysia";
import type { PageAuth, PageFactors } from "../../../auth/index.ts";
import { AppError } from "../../../core/errors.ts";
import { hidden } from "../../../http/index.ts";
import type { PageHead } from "../../../http/pages/answer.ts";
import type { Html } from "../../../http/pages/jsx-runtime.ts";
import { ChallengeOverPage, ChallengePage, ChallengeStuckPage, ways, type Way } from "./challenge.page.tsx";
import type { EntryPages } from "./entry.ts";
import { namedNext, searchOf, type EntryView } from "./view.ts";

interface ChallengeOptions {
  readonly auth: Pick<PageAuth, "challenge" | "answerChallenge">;
  readonly factors: Pick<PageFactors, "signIn">;
  readonly entry: EntryPages;
  /** Returns the page after a sign-in, from the one that a link or a form has named. */
  readonly nextOf: (next: string | null) => string;
  /** Returns the sign-in page for the browser of the request. */
  readonly signInPage: (request: Request, head: PageHead) => (view: EntryView) => Html;
}

const isOver = (refusal: AppError | undefined): boolean => refusal?.reason === "invalid_challenge";

/** Serves the second step of a sign-in, and the sign-in with a passkey, which takes one step. */
export function challengeRoutes({ auth, factors, entry, nextOf, signInPage }: ChallengeOptions) {
  /** Asks for the ways to answer the challenge, then makes the page. A challenge that is over has another page. */
  async function pageOf(request: Request, id: string, named: string | null) {
    const wayOn = (view: EntryView): string => nextOf(namedNext(view));
    const over = (view: EntryView): Html => ChallengeOverPage({ view, next: wayOn(view) });
    try {
      const { methods, passkeyOptions } = await auth.challenge(request, id);
      const offered: readonly Way[] = ways.filter((way) => methods.includes(way));
      const way = offered.find((each) => each === named) ?? offered[0];
      if (way === undefined) return (view: EntryView): Html => ChallengeStuckPage({ view, next: wayOn(view) });
      return (view: EntryView): Html =>
        isOver(view.refusal)
          ? over(view)
          : ChallengePage({
              view,
              challenge: id,
              next: wayOn(view),
              methods: offered,
              way,
              passkeyOptions,
            });
    } catch (error) {
      if (error instanceof AppError && isOver(error)) return over;
      throw error;
    }
  }

  return new Elysia({ name: "staff/challenge" })
    .get(
      "/login/verify",
      ({ request, set }) =>
        entry.attempt(request, set, async () => {
          const search = searchOf(request);
          const page = await pageOf(request, search.get("challenge") ?? "", search.get("way"));
          return entry.show(request, set, page);
        }),
      hidden,
    )
    .post(
      "/login/verify",
      ({ request, set, body }) =>
        entry.attempt(request, set, async () => {
          const form = body instanceof URLSearchParams ? body : new URLSearchParams();
          const page = await pageOf(request, form.get("challenge") ?? "", form.get("method"));
          return entry.submit(request, set, body, page, async (typed) => {
            await auth.answerChallenge(request, set, typed);
            return { to: nextOf(typed.get("next")) };
          });
        }),
      hidden,
    )
    .post(
      "/login/passkey",
      ({ request, set, body }) =>
        entry.submit(request, set, body, signInPage(request, set), async (form) => {
          await factors.signIn(request, set, form);
          return { to: nextOf(form.get("next")) };
        }),
      hidden,
    );
}
