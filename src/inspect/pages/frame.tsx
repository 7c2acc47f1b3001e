/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { AppError } from "../../core/errors.ts";
import { assetPaths } from "./assets.ts";

/** What every page has around it. */
export interface Frame {
  readonly app: string;
  readonly env: string;
  /** For the forms of who is signed in. */
  readonly csrf: string | undefined;
}

interface PageProps {
  readonly frame: Frame;
  readonly title: string;
  readonly at?: "inspects" | "runtime";
  readonly children: Children;
}

const current = (is: boolean) => (is ? ("page" as const) : undefined);

export const Page = ({ frame, title, at, children }: PageProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Lighthouse · ${frame.app}`}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={assetPaths.style} />
      <script src={assetPaths.script} defer />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p class="brand">
          <a href="/lighthouse">Lighthouse</a> <span class="where">{`${frame.app} · ${frame.env}`}</span>
        </p>
        {frame.csrf !== undefined && (
          <nav aria-label="Pages">
            <a href="/lighthouse" aria-current={current(at === "inspects")}>
              Inspects
            </a>
            <a href="/lighthouse/runtime" aria-current={current(at === "runtime")}>
              Runtime
            </a>
            <form method="post" action="/lighthouse/sign-out">
              <input type="hidden" name="csrf" value={frame.csrf} />
              <button class="quiet">Sign out</button>
            </form>
          </nav>
        )}
      </header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
    </body>
  </html>
);

interface SignInProps {
  readonly frame: Frame;
  readonly next: string;
  readonly refusal?: AppError;
}

function complaintOf({ reason, retryAfterSeconds = 0 }: AppError): string {
  if (reason === "unauthorized") return "That is not the secret.";
  if (retryAfterSeconds === 0) return "That did not work.";
  return `Too many wrong secrets from this address. Try again in ${Math.ceil(retryAfterSeconds / 60)} min.`;
}

export const SignInPage = ({ frame, next, refusal }: SignInProps) => (
  <Page frame={frame} title="Sign in">
    <form class="card sign-in" method="post" action="/lighthouse/sign-in">
      <h1>Sign in</h1>
      <p class="soft">
        With the secret of this app: <code>LIGHTHOUSE_SECRET</code> in its environment.
      </p>
      {refusal && (
        <p class="complaint" role="alert">
          {complaintOf(refusal)}
        </p>
      )}
      <input type="hidden" name="next" value={next} />
      <label>
        Secret
        <input type="password" name="secret" autocomplete="current-password" required autofocus />
      </label>
      <button>Sign in</button>
    </form>
  </Page>
);

interface RefusalProps {
  readonly frame: Frame;
  readonly refusal: AppError;
  /** What is not there, where that is what it says. */
  readonly missing: string;
}

function wordsOf({ reason, message }: AppError, missing: string): string {
  if (reason === "not_found") return missing;
  if (reason === "unauthorized") return "The sign-in has ended. Sign in, and do it again.";
  if (reason === "cross_site_request") return "The form was not of this sign-in. Reload the page, and do it again.";
  return `That did not work: ${message}.`;
}

export const RefusalPage = ({ frame, refusal, missing }: RefusalProps) => (
  <Page frame={frame} title={String(refusal.status)}>
    <h1>{wordsOf(refusal, missing)}</h1>
    <p>
      <a href="/lighthouse">To the inspects</a> · <a href="/lighthouse/runtime">To the runtime page</a>
    </p>
  </Page>
);
