import { Elysia } from "elysia";
import type { Terms } from "../../account/shared/terms.ts";
import type { PageWays } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import type { Words } from "../../words/index.ts";
import type { EntryPages, Make } from "../sign.in/entry.ts";
import { BrokenLinkPage } from "../sign.in/link.pages.tsx";
import type { EntryView } from "../sign.in/view.ts";
import { AcceptPage, EndedPage, invitationPath, JoinPage, SignInFirstPage } from "./pages.tsx";

interface InvitationOptions {
  readonly ways: Pick<PageWays, "accept" | "showInvitation">;
  readonly words: Words;
  readonly entry: EntryPages;
  readonly href: (path: string) => string;
  readonly passwordRules: PasswordRules;
  readonly terms: Terms;
}

/** The refusals that end an invitation; the page explains each. */
const endings = [
  "invalid_invitation_token",
  "invitation_accepted",
  "invitation_expired",
  "invitation_withdrawn",
] as const;

/** Returns undefined for a refusal after which the link may still be used. */
const endingOf = ({ reason }: AppError) => endings.find((each) => each === reason);

/** Accepts an invitation by the link of its mail. Nothing changes before a click. */
export function invitationRoutes({ ways, words, entry, href, passwordRules, terms }: InvitationOptions) {
  const saysIn = ({ language }: EntryView) => words.say(language, "invitation");

  const signInOf = ({ words: { signIn } }: EntryView) => ({ href: href("/login"), label: signIn.submit });

  function ended(view: EntryView, refusal: AppError, organization: string): Html | undefined {
    const says = saysIn(view);
    const ending = endingOf(refusal);
    if (ending !== undefined) return EndedPage({ view, said: says.over[ending], way: signInOf(view) });
    if (refusal.reason !== "member_exists") return undefined;
    const { title, lead, way } = says.to.already;
    const said = { title: title({ organization }), lead };
    return EndedPage({ view, said, way: { href: href("/account"), label: way } });
  }

  async function page(request: Request, _head: PageHead, named: URLSearchParams): Promise<Make> {
    const token = named.get("token") ?? "";
    if (token === "") return (view) => BrokenLinkPage({ view, way: signInOf(view) });
    try {
      const invitation = await ways.showInvitation(request, token);
      return (view) => {
        const over = view.refusal && ended(view, view.refusal, invitation.organization ?? "");
        if (over !== undefined) return over;
        const props = { view, says: saysIn(view), invitation };
        const isOther = view.refusal?.reason === "invitation_sign_in_required";
        if (invitation.account === "other" || isOther) return SignInFirstPage(props);
        if (invitation.account === "own") return JoinPage(props);
        return AcceptPage({ ...props, passwordLengths: passwordRules, terms });
      };
    } catch (error) {
      const ending = error instanceof AppError ? endingOf(error) : undefined;
      if (ending === undefined) throw error;
      return (view) => EndedPage({ view, said: saysIn(view).over[ending], way: signInOf(view) });
    }
  }

  return new Elysia({ name: "kit/invitation" }).use(entry.page(invitationPath, page)).use(
    entry.form(invitationPath, page, async (request, head, form) => {
      await ways.accept(request, head, form);
      return { to: href("/account") };
    }),
  );
}
