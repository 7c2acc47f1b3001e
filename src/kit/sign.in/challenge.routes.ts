import { Elysia } from "elysia";
import type { PageAuth, PageFactors } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import { ChallengeOverPage, ChallengePage, ChallengeStuckPage, ways, type Way } from "./challenge.page.tsx";
import type { EntryPages, Make } from "./entry.ts";
import type { Next } from "./next.ts";
import { namedNext, type EntryView } from "./view.ts";

interface ChallengeOptions {
  readonly auth: Pick<PageAuth, "challenge" | "answerChallenge">;
  readonly factors: Pick<PageFactors, "signIn">;
  readonly entry: EntryPages;
  readonly next: Next;
  /** Returns the sign-in page for the browser of the request. */
  readonly signInPage: (request: Request, head: PageHead) => Make;
}

const isOver = (refusal: AppError | undefined): boolean => refusal?.reason === "invalid_challenge";
const path = "/login/verify";

/** Serves the second step of a sign-in, and the sign-in with a passkey, which takes one step. */
export function challengeRoutes({ auth, factors, entry, next, signInPage }: ChallengeOptions) {
  /** Asks for the ways to answer the challenge, then makes the page. A challenge that is over has another page. */
  async function pageOf(request: Request, _head: PageHead, named: URLSearchParams): Promise<Make> {
    const challenge = named.get("challenge") ?? "";
    const wayOn = (view: EntryView): string => next.of(namedNext(view));
    const over: Make = (view) => ChallengeOverPage({ view, next: wayOn(view) });
    try {
      const { methods: usable, passkeyOptions } = await auth.challenge(request, challenge);
      const methods: readonly Way[] = ways.filter((way) => usable.includes(way));
      const way = methods.find((each) => each === (named.get("way") ?? named.get("method"))) ?? methods[0];
      if (way === undefined) return (view) => ChallengeStuckPage({ view, next: wayOn(view) });
      return (view) =>
        isOver(view.refusal)
          ? over(view)
          : ChallengePage({ view, challenge, next: wayOn(view), methods, way, passkeyOptions });
    } catch (error) {
      if (error instanceof AppError && isOver(error)) return over;
      throw error;
    }
  }

  return new Elysia({ name: "kit/challenge" })
    .use(entry.page(path, pageOf))
    .use(
      entry.form(path, pageOf, async (request, head, form) => {
        await auth.answerChallenge(request, head, form);
        return { to: next.after(form.get("next")) };
      }),
    )
    .use(
      entry.form("/login/passkey", signInPage, async (request, head, form) => {
        await factors.signIn(request, head, form);
        return { to: next.after(form.get("next")) };
      }),
    );
}
