import { Elysia } from "elysia";
import type { PageAuth } from "../../auth/index.ts";
import type { Millis } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import type { EntryPages, Make } from "./entry.ts";
import * as links from "./link.pages.tsx";
import { ForgotPage, ResetAskedPage, ResetDonePage, ResetPage } from "./password.pages.tsx";
import { isReject, mailTokenOf, type EntryView } from "./view.ts";

interface LinkRouteOptions {
  readonly auth: PageAuth;
  readonly href: (path: string) => string;
  readonly entry: EntryPages;
  readonly passwordRules: PasswordRules;
  /** How long the link to a new password works. */
  readonly resetMs: Millis;
}

/** Serves the pages that mailed links open, and the one on which a person asks for a link. */
export const linkRoutes = (options: LinkRouteOptions) =>
  new Elysia({ name: "kit/links" }).use(passwordRoutes(options)).use(addressRoutes(options));

/** Serves the pages on which a person chooses a new password by the link of a mail. */
function passwordRoutes({ auth, href, entry, passwordRules, resetMs: linkMs }: LinkRouteOptions) {
  const forgot = (): Make => (view) => ForgotPage({ view });
  async function reset(request: Request, _head: PageHead, named: URLSearchParams): Promise<Make> {
    const token = named.get("token") ?? "";
    const inspected = token === "" ? undefined : await auth.inspectReset(request, token);
    return (view) => {
      const resetToken = mailTokenOf(view);
      const { link } = view.words;
      const way = { href: href("/forgot-password"), label: link.resetAgain };
      const isUndo = isReject(view);
      if (resetToken === "") return links.BrokenLinkPage({ view, way });
      if (inspected === undefined || view.refusal?.reason === "invalid_reset_token")
        return links.DeadLinkPage({ view, reason: isUndo ? link.undo : link.reset, way });
      if (isUndo && inspected.isOfSignIn && !view.typed.has("rejected"))
        return links.RejectSignInPage({ view, mailToken: resetToken });
      return ResetPage({ view, resetToken, isUndo, inspected, passwordLengths: passwordRules });
    };
  }
  /** Ends the session that a mail tells of, and goes on to a new password. */
  async function reject(request: Request, form: URLSearchParams): Promise<{ make: Make }> {
    await auth.rejectSignIn(request, form);
    const resetToken = form.get("token") ?? "";
    const inspected = await auth.inspectReset(request, resetToken);
    if (inspected === undefined) throw new AppError("invalid_reset_token");
    return {
      make: (view) => ResetPage({ view, resetToken, isUndo: true, inspected, passwordLengths: passwordRules }),
    };
  }
  return new Elysia({ name: "kit/password" })
    .use(entry.page("/forgot-password", forgot))
    .use(
      entry.form("/forgot-password", forgot, async (request, _head, form) => {
        const resetToken = await auth.requestReset(request, form);
        return { make: (view) => ResetAskedPage({ view, linkMs, resetToken }) };
      }),
    )
    .use(entry.page("/reset-password", reset))
    .use(
      entry.form("/reset-password", reset, async (request, head, form) => {
        if (form.has("reject") && !form.has("new_password")) return reject(request, form);
        await auth.confirmReset(request, head, form);
        return { make: (view) => ResetDonePage({ view, isFirst: form.has("first") }) };
      }),
    );
}

/** Serves the pages of the links by which a person verifies an address, or takes a change of it back. */
function addressRoutes({ auth, href, entry }: LinkRouteOptions) {
  interface LinkParts {
    readonly name: "verification" | "change";
    readonly wayOf: (view: EntryView) => { readonly href: string; readonly label: string };
    /** Why a link that is of no use may be so. */
    readonly used: (view: EntryView) => string;
    readonly page: (props: { readonly view: EntryView; readonly mailToken: string }) => Html;
  }
  /** Looks at a link before its reader does anything, and says of a dead one why it is of no use. */
  const look =
    ({ name, wayOf, used, page }: LinkParts) =>
    async (request: Request, _head: PageHead, named: URLSearchParams): Promise<Make> => {
      const mailToken = named.get("token") ?? "";
      const isGood = mailToken !== "" && (await auth.isGoodLink(request, name, mailToken));
      return (view) => {
        const way = wayOf(view);
        if (mailToken === "") return links.BrokenLinkPage({ view, way });
        if (view.refusal?.reason === "email_taken")
          return links.DeadLinkPage({ view, reason: view.words.link.taken, way });
        return isGood ? page({ view, mailToken }) : links.DeadLinkPage({ view, reason: used(view), way });
      };
    };
  const verify = look({
    name: "verification",
    wayOf: (view) => ({ href: href("/login"), label: view.words.signIn.submit }),
    used: ({ words }) => words.link.verify,
    page: (props) => (isReject(props.view) ? links.RejectPage(props) : links.VerifyPage(props)),
  });
  const undo = look({
    name: "change",
    wayOf: ({ words }) => ({ href: href("/forgot-password"), label: words.link.resetPassword }),
    used: ({ words }) => words.link.undo,
    page: links.UndoPage,
  });
  return new Elysia({ name: "kit/addresses" })
    .use(entry.page("/verify-email", verify))
    .use(
      entry.form("/verify-email", verify, async (request, _head, form) => {
        if (!form.has("reject")) {
          const email = await auth.confirmAddress(request, form);
          return { make: (view) => links.VerifiedPage({ view, email }) };
        }
        await auth.rejectAddress(request, form);
        return { make: (view) => links.DonePage({ view, said: view.ownWords.verify.rejected }) };
      }),
    )
    .use(entry.page("/undo-email-change", undo))
    .use(
      entry.form("/undo-email-change", undo, async (request, _head, form) => {
        await auth.takeBack(request, form);
        return { make: (view) => links.DonePage({ view, said: view.ownWords.undo.done }) };
      }),
    );
}
