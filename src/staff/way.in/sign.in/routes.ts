import { Elysia } from "elysia";
import { nextUrl } from "../../../core/address/next.url.ts";
import { AppError } from "../../../core/errors.ts";
import { hidden } from "../../../http/index.ts";
import { leadTo, type PageHead } from "../../../http/pages/answer.ts";
import { challengeRoutes } from "./challenge.routes.ts";
import { isReject, mailTokenOf, namedNext, searchOf, type EntryView } from "./view.ts";
import {
  BrokenLinkPage,
  DeadLinkPage,
  RejectedPage,
  RejectPage,
  UndonePage,
  UndoPage,
  VerifiedPage,
  VerifyPage,
} from "./link.pages.tsx";
import type { SignInOptions } from "./options.ts";
import { passwordRoutes } from "./password.routes.ts";
import { ClosedPage, MailedPage, RegisterPage } from "./register.page.tsx";
import { SignInPage, SignOutPage, UnverifiedPage } from "./sign.in.page.tsx";

const signInPath = "/login";

/** Serves the pages on which a person signs in, registers, or uses the link of a mail. They are open to everybody. */
export function signInRoutes(options: SignInOptions) {
  return new Elysia({ name: "staff/sign-in" })
    .use(credentialRoutes(options))
    .use(registerRoutes(options))
    .use(passwordRoutes(options))
    .use(linkRoutes(options));
}

/** Returns the page after a sign-in: a path of this app, or otherwise the app's first page. */
function nextOf(next: string | null, { config: { app }, frame }: SignInOptions): string {
  const path = next === null ? undefined : nextUrl(next, { origin: app.url.origin, allowed: [] });
  return path ?? frame.href("/");
}

function credentialRoutes(options: SignInOptions) {
  const { config, auth, factors, frame, entry, tokens } = options;
  /** Makes the sign-in page for one request: the options for a passkey belong to the browser that sent it. */
  const pageFor = (request: Request, head: PageHead) => {
    const passkeyOptions = factors.requestOptions(request, head);
    return (view: EntryView) => {
      if (view.refusal?.reason === "email_not_verified")
        return UnverifiedPage({ view, linkMs: config.auth.emailVerificationTtlMs });
      const next = nextOf(namedNext(view), options);
      return SignInPage({ view, next, canRegister: config.auth.registrationEnabled, passkeyOptions });
    };
  };

  async function signOut(request: Request, head: PageHead, body: unknown): Promise<string> {
    const viewer = await auth.viewerOf(request, head);
    const isOwn = (session: string): boolean => body instanceof URLSearchParams && tokens.isOf(session, body);
    if (viewer !== undefined && !isOwn(viewer.session.id)) {
      const refusal = new AppError("cross_site_request");
      auth.refused(refusal);
      return askToSignOut(request, head, viewer.session.id, refusal.status);
    }
    await auth.signOut(request, head);
    return leadTo(head, `${frame.href(signInPath)}?notice=signed-out`);
  }

  const askToSignOut = (request: Request, head: PageHead, session: string, status: number): string =>
    entry.show(request, head, (view) => SignOutPage({ view, token: tokens.tokenOf(session) }), status);

  return new Elysia({ name: "staff/credentials" })
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
    .post(
      signInPath,
      ({ request, set, body }) =>
        entry.submit(request, set, body, pageFor(request, set), async (form) => {
          const signIn = await auth.signIn(request, set, form);
          const next = nextOf(form.get("next"), options);
          if (signIn.outcome === "signed_in") return { to: next };
          const query = String(new URLSearchParams({ challenge: signIn.challenge, next }));
          return { to: `${frame.href("/login/verify")}?${query}` };
        }),
      hidden,
    )
    .use(challengeRoutes({ auth, factors, entry, nextOf: (next) => nextOf(next, options), signInPage: pageFor }))
    .get(
      "/logout",
      ({ request, set }) =>
        entry.attempt(request, set, async () => {
          const viewer = await auth.viewerOf(request, set);
          return viewer === undefined
            ? leadTo(set, frame.href(signInPath))
            : askToSignOut(request, set, viewer.session.id, 200);
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
  const page = (view: EntryView) => {
    if (!config.auth.registrationEnabled) return ClosedPage({ view });
    const next = nextOf(namedNext(view), options);
    const verifiesAddress = config.auth.registerRequiresEmailVerification;
    return RegisterPage({ view, next, passwordLengths: passwordRules, verifiesAddress });
  };
  return new Elysia({ name: "staff/register" })
    .get(
      "/register",
      ({ request, set }) => {
        if (!config.auth.registrationEnabled) auth.refused(new AppError("registration_closed"));
        return entry.show(request, set, page, config.auth.registrationEnabled ? 200 : 403);
      },
      hidden,
    )
    .post(
      "/register",
      ({ request, set, body }) =>
        entry.submit(request, set, body, page, async (form) => {
          if (await auth.register(request, set, form)) return { to: nextOf(form.get("next"), options) };
          return { make: (view) => MailedPage({ view, email: (form.get("email") ?? "").trim() }) };
        }),
      hidden,
    );
}

function linkRoutes({ auth, frame, entry }: SignInOptions) {
  const dead = ({ refusal, words }: EntryView): string | undefined =>
    refusal?.reason === "email_taken"
      ? words.link.taken
      : refusal?.reason === "invalid_verification_token"
        ? words.link.verify
        : undefined;
  const verify = (view: EntryView) => {
    const way = { href: frame.href(signInPath), label: view.words.link.signIn };
    const mailToken = mailTokenOf(view);
    const reason = dead(view);
    if (reason !== undefined) return DeadLinkPage({ view, reason, way });
    if (mailToken === "") return BrokenLinkPage({ view, way });
    return isReject(view) ? RejectPage({ view, mailToken }) : VerifyPage({ view, mailToken });
  };
  const undo = (view: EntryView) => {
    const way = { href: frame.href("/forgot-password"), label: view.words.link.resetPassword };
    const mailToken = mailTokenOf(view);
    if (dead(view) !== undefined)
      return DeadLinkPage({
        view,
        reason: view.refusal?.reason === "email_taken" ? view.words.link.taken : view.words.link.undo,
        way,
      });
    return mailToken === "" ? BrokenLinkPage({ view, way }) : UndoPage({ view, mailToken });
  };
  return new Elysia({ name: "staff/links" })
    .get("/verify-email", ({ request, set }) => entry.show(request, set, verify), hidden)
    .post(
      "/verify-email",
      ({ request, set, body }) =>
        entry.submit(request, set, body, verify, async (form) => {
          if (!form.has("reject")) {
            const email = await auth.confirmAddress(request, form);
            return { make: (view) => VerifiedPage({ view, email }) };
          }
          await auth.rejectAddress(request, form);
          return { make: (view) => RejectedPage({ view }) };
        }),
      hidden,
    )
    .get("/undo-email-change", ({ request, set }) => entry.show(request, set, undo), hidden)
    .post(
      "/undo-email-change",
      ({ request, set, body }) =>
        entry.submit(request, set, body, undo, async (form) => {
          await auth.takeBack(request, form);
          return { make: (view) => UndonePage({ view }) };
        }),
      hidden,
    );
}
