import { Elysia } from "elysia";
import { termsOf } from "../../account/shared/terms.ts";
import type { PageAuth, PageFactors } from "../../auth/index.ts";
import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import { hidden } from "../../http/index.ts";
import { leadTo, type PageHead } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import { ClosedPage, MailedPage, RegisterPage } from "../register/pages.tsx";
import { createArrive } from "./arrive.ts";
import { challengeRoutes } from "./challenge.routes.ts";
import type { EntryPages, Make } from "./entry.ts";
import { linkRoutes } from "./link.routes.ts";
import { mailRoutes, type MailSignIn } from "./mail.routes.ts";
import { onwardPath, type Next } from "./next.ts";
import { KnownPage, OnwardPage, SignInPage, SignOutPage, UnverifiedPage, type EntryWay } from "./sign.in.page.tsx";
import { namedNext, searchOf } from "./view.ts";

interface SignInOptions {
  readonly config: Pick<Config, "app" | "auth">;
  readonly auth: PageAuth;
  readonly factors: PageFactors;
  readonly href: (path: string) => string;
  readonly next: Next;
  readonly entry: EntryPages;
  /** Tokens of forms that belong to a session. */
  readonly tokens: ReturnType<typeof createFormTokens>;
  readonly passwordRules: PasswordRules;
  /** Undefined where nobody signs in by a mail. */
  readonly mail?: MailSignIn | undefined;
  /** The ways to sign in that the page offers, in their order. */
  readonly ways: readonly EntryWay[];
}

const signInPath = "/login";

/** Serves the pages on which a person signs in, registers, or uses the link of a mail. They are open to everybody. */
export function signInRoutes(options: SignInOptions) {
  const { config, href, next, mail } = options;
  const arrive = createArrive({ next, href });
  return new Elysia({ name: "kit/sign-in" })
    .use(credentialRoutes(options))
    .use(next.leadsElsewhere ? onwardRoutes(options) : new Elysia())
    .use(signOutRoutes(options))
    .use(registerRoutes(options))
    .use(linkRoutes({ ...options, resetMs: config.auth.passwordResetTtlMs }))
    .use(mail === undefined ? new Elysia() : mailRoutes({ ...options, ...mail, arrive }));
}

function credentialRoutes({ config, auth, factors, href, next, entry, ways }: SignInOptions) {
  const { registrationEnabled: canRegister, emailVerificationTtlMs: linkMs } = config.auth;
  const arrive = createArrive({ next, href });
  /** Makes the sign-in page for one request: the options for a passkey belong to the browser that sent it. */
  const pageFor = (request: Request, head: PageHead): Make => {
    const passkeyOptions = factors.requestOptions(request, head);
    return (view) => {
      if (view.refusal?.reason === "email_not_verified") return UnverifiedPage({ view, linkMs });
      const to = next.of(namedNext(view));
      return SignInPage({ view, next: to, canRegister, ways, passkeyOptions });
    };
  };

  async function open(request: Request, head: PageHead): Promise<string> {
    const search = searchOf(request);
    // An app demands a proof: going on without one would lead straight back here.
    const viewer = search.has("reauthenticate") ? undefined : await auth.viewerOf(request, head);
    if (viewer === undefined) return entry.show(request, head, pageFor(request, head));
    const to = next.of(search.get("next"));
    if (!search.has("select_account")) return leadTo(head, to);
    const name = viewer.session.displayName;
    return entry.show(request, head, (view) => KnownPage({ view, next: to, name }));
  }

  return new Elysia({ name: "kit/credentials" })
    .get(signInPath, ({ request, set }) => entry.attempt(request, set, () => open(request, set)), hidden)
    .use(
      entry.form(signInPath, pageFor, async (request, head, form) =>
        arrive(await auth.signIn(request, head, form), form.get("next")),
      ),
    )
    .use(challengeRoutes({ auth, factors, entry, next, signInPage: pageFor }));
}

/** Leads on to where a form may not lead by itself. */
const onwardRoutes = ({ next, entry }: SignInOptions) =>
  new Elysia({ name: "kit/onward" }).get(
    onwardPath,
    ({ request, set }) =>
      entry.attempt(request, set, async () => {
        const to = next.of(searchOf(request).get("next"));
        set.headers["refresh"] = `0; url=${to}`;
        return entry.show(request, set, (view) => OnwardPage({ view, next: to }));
      }),
    hidden,
  );

/** Signs somebody out by a form of their own. A page of another site may link here, so the address alone signs nobody out. */
function signOutRoutes({ auth, href, entry, tokens }: SignInOptions) {
  const askToSignOut = (request: Request, head: PageHead, session: string, status: number): string =>
    entry.show(request, head, (view) => SignOutPage({ view, token: tokens.tokenOf(session) }), status);

  async function signOut(request: Request, head: PageHead, body: unknown): Promise<string> {
    const session = await auth.sessionIdOf(request);
    const isOwn = session !== undefined && body instanceof URLSearchParams && tokens.isOf(session, body);
    if (session !== undefined && !isOwn) {
      const refusal = new AppError("cross_site_request");
      auth.refused(refusal);
      return askToSignOut(request, head, session, refusal.status);
    }
    await auth.signOut(request, head);
    return leadTo(head, `${href(signInPath)}?notice=signed-out`);
  }

  return new Elysia({ name: "kit/sign-out" })
    .get(
      "/logout",
      ({ request, set }) =>
        entry.attempt(request, set, async () => {
          const session = await auth.sessionIdOf(request);
          return session === undefined ? leadTo(set, href(signInPath)) : askToSignOut(request, set, session, 200);
        }),
      hidden,
    )
    .post(
      "/logout",
      ({ request, set, body }) => entry.attempt(request, set, () => signOut(request, set, body)),
      hidden,
    );
}

function registerRoutes({ config, auth, next, entry, passwordRules }: SignInOptions) {
  const { registrationEnabled: isOpen, registerRequiresEmailVerification: verifiesAddress } = config.auth;
  const terms = termsOf(config.app);
  const page = (): Make => (view) =>
    isOpen
      ? RegisterPage({ view, next: next.of(namedNext(view)), passwordLengths: passwordRules, verifiesAddress, terms })
      : ClosedPage({ view });
  const requireOpen = (): void => {
    if (!isOpen) throw new AppError("registration_closed");
  };
  return new Elysia({ name: "kit/register" }).use(entry.page("/register", page, requireOpen)).use(
    entry.form("/register", page, async (request, head, form) => {
      if (await auth.register(request, head, form)) return { to: next.after(form.get("next")) };
      return { make: (view) => MailedPage({ view, email: (form.get("email") ?? "").trim() }) };
    }),
  );
}
