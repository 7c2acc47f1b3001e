import { Elysia } from "elysia";
import { termsOf } from "../../account/shared/terms.ts";
import type { PageAuth, PageFactors } from "../../auth/index.ts";
import type { Config } from "../../config/index.ts";
import { nextUrl } from "../../core/address/next.url.ts";
import { AppError } from "../../core/errors.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import { hidden } from "../../http/index.ts";
import { leadTo, type PageHead } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import type { KitFrame } from "../frame/frame.ts";
import { challengeRoutes } from "./challenge.routes.ts";
import type { EntryPages, Make } from "./entry.ts";
import * as links from "./link.pages.tsx";
import { ForgotPage, ResetAskedPage, ResetDonePage, ResetPage } from "./password.pages.tsx";
import { ClosedPage, MailedPage, RegisterPage, SignInPage, SignOutPage, UnverifiedPage } from "./sign.in.page.tsx";
import type { Html } from "../../http/pages/jsx-runtime.ts";
import { isReject, mailTokenOf, namedNext, searchOf, type EntryView } from "./view.ts";

interface SignInOptions {
  readonly config: Pick<Config, "app" | "auth">;
  readonly auth: PageAuth;
  readonly factors: PageFactors;
  readonly frame: KitFrame;
  readonly entry: EntryPages;
  /** Tokens of forms that belong to a session. */
  readonly tokens: ReturnType<typeof createFormTokens>;
  readonly passwordRules: PasswordRules;
}

const signInPath = "/login";

/** Serves the pages on which a person signs in, registers, or uses the link of a mail. They are open to everybody. */
export function signInRoutes(options: SignInOptions) {
  return new Elysia({ name: "kit/sign-in" })
    .use(credentialRoutes(options))
    .use(registerRoutes(options))
    .use(passwordRoutes(options))
    .use(linkRoutes(options));
}

/** Returns the page after a sign-in: a path of this app, or otherwise the app's first page. */
function nextOf(next: string | null, { config: { app }, frame }: SignInOptions): string {
  const path = next === null ? undefined : nextUrl(next, { origin: app.url.origin });
  return path ?? frame.href("/");
}

function credentialRoutes(options: SignInOptions) {
  const { config, auth, factors, frame, entry, tokens } = options;
  /** Makes the sign-in page for one request: the options for a passkey belong to the browser that sent it. */
  const pageFor = (request: Request, head: PageHead): Make => {
    const passkeyOptions = factors.requestOptions(request, head);
    return (view) => {
      if (view.refusal?.reason === "email_not_verified")
        return UnverifiedPage({ view, linkMs: config.auth.emailVerificationTtlMs });
      const next = nextOf(namedNext(view), options);
      return SignInPage({ view, next, canRegister: config.auth.registrationEnabled, passkeyOptions });
    };
  };

  async function signOut(request: Request, head: PageHead, body: unknown): Promise<string> {
    const session = await auth.sessionIdOf(request);
    const isOwn = session !== undefined && body instanceof URLSearchParams && tokens.isOf(session, body);
    if (session !== undefined && !isOwn) {
      const refusal = new AppError("cross_site_request");
      auth.refused(refusal);
      return askToSignOut(request, head, session, refusal.status);
    }
    await auth.signOut(request, head);
    return leadTo(head, `${frame.href(signInPath)}?notice=signed-out`);
  }

  const askToSignOut = (request: Request, head: PageHead, session: string, status: number): string =>
    entry.show(request, head, (view) => SignOutPage({ view, token: tokens.tokenOf(session) }), status);

  return new Elysia({ name: "kit/credentials" })
    .get(
      signInPath,
      ({ request, set }) =>
        entry.attempt(request, set, async () => {
          const viewer = await auth.viewerOf(request, set);
          if (viewer === undefined) return entry.show(request, set, pageFor(request, set));
          return leadTo(set, nextOf(searchOf(request).get("next"), options));
        }),
      hidden,
    )
    .use(
      entry.form(signInPath, pageFor, async (request, head, form) => {
        const signIn = await auth.signIn(request, head, form);
        const next = nextOf(form.get("next"), options);
        if (signIn.outcome === "signed_in") return { to: next };
        const query = String(new URLSearchParams({ challenge: signIn.challenge, next }));
        return { to: `${frame.href("/login/verify")}?${query}` };
      }),
    )
    .use(challengeRoutes({ auth, factors, entry, nextOf: (next) => nextOf(next, options), signInPage: pageFor }))
    .get(
      "/logout",
      ({ request, set }) =>
        entry.attempt(request, set, async () => {
          const session = await auth.sessionIdOf(request);
          return session === undefined ? leadTo(set, frame.href(signInPath)) : askToSignOut(request, set, session, 200);
        }),
      hidden,
    )
    .post(
      "/logout",
      ({ request, set, body }) => entry.attempt(request, set, () => signOut(request, set, body)),
      hidden,
    );
}

function registerRoutes(options: SignInOptions) {
  const { config, auth, entry, passwordRules } = options;
  const { registrationEnabled: isOpen, registerRequiresEmailVerification: verifiesAddress } = config.auth;
  const terms = termsOf(config.app);
  const page = (): Make => (view) =>
    isOpen
      ? RegisterPage({
          view,
          next: nextOf(namedNext(view), options),
          passwordLengths: passwordRules,
          verifiesAddress,
          terms,
        })
      : ClosedPage({ view });
  const requireOpen = (): void => {
    if (!isOpen) throw new AppError("registration_closed");
  };
  return new Elysia({ name: "kit/register" }).use(entry.page("/register", page, requireOpen)).use(
    entry.form("/register", page, async (request, head, form) => {
      if (await auth.register(request, head, form)) return { to: nextOf(form.get("next"), options) };
      return { make: (view) => MailedPage({ view, email: (form.get("email") ?? "").trim() }) };
    }),
  );
}

/** Serves the pages on which a person chooses a new password by the link of a mail. */
function passwordRoutes({ config, auth, frame, entry, passwordRules }: SignInOptions) {
  const linkMs = config.auth.passwordResetTtlMs;
  const forgot = (): Make => (view) => ForgotPage({ view });
  async function reset(request: Request, _head: PageHead, named: URLSearchParams): Promise<Make> {
    const token = named.get("token") ?? "";
    const inspected = token === "" ? undefined : await auth.inspectReset(request, token);
    return (view) => {
      const resetToken = mailTokenOf(view);
      const { link } = view.words;
      const way = { href: frame.href("/forgot-password"), label: link.resetAgain };
      const isUndo = isReject(view);
      if (resetToken === "") return links.BrokenLinkPage({ view, way });
      if (inspected === undefined || view.refusal?.reason === "invalid_reset_token")
        return links.DeadLinkPage({ view, reason: isUndo ? link.undo : link.reset, way });
      return ResetPage({ view, resetToken, isUndo, inspected, passwordLengths: passwordRules });
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
        await auth.confirmReset(request, head, form);
        return { make: (view) => ResetDonePage({ view, isFirst: form.has("first") }) };
      }),
    );
}

/** Serves the pages of the links by which a person verifies an address, or takes a change of it back. */
function linkRoutes({ auth, frame, entry }: SignInOptions) {
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
    wayOf: (view) => ({ href: frame.href(signInPath), label: view.words.signIn.submit }),
    used: ({ words }) => words.link.verify,
    page: (props) => (isReject(props.view) ? links.RejectPage(props) : links.VerifyPage(props)),
  });
  const undo = look({
    name: "change",
    wayOf: ({ words }) => ({ href: frame.href("/forgot-password"), label: words.link.resetPassword }),
    used: ({ words }) => words.link.undo,
    page: links.UndoPage,
  });
  return new Elysia({ name: "kit/links" })
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
