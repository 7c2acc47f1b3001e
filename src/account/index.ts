import { Elysia } from "elysia";
import { answerWith, assetFolder, createBundleSource, fileNamed } from "./assets.ts";
import type { Config } from "../config/index.ts";
import type { Module } from "../core/module.ts";
import { leadTo, showPage, type PageHead } from "../http/pages/answer.ts";
import { pagePolicy } from "../http/pages/policy.ts";
import { paths, type Path, type Settings } from "./shared/settings.ts";
import { shell } from "./shell.tsx";
import { startPage, type Signpost } from "./start.page.tsx";
import { pickLanguage, preferredTags } from "./shared/words/index.ts";

export type { Signpost } from "./start.page.tsx";

interface AccountPagesOptions {
  readonly config: Pick<Config, "app" | "auth">;
  readonly providers: Settings["providers"];
  readonly maxPasswordLength: number;
  /** Whether a request comes with a session that serves; an access cookie that ran out is renewed. */
  readonly isSignedIn: (request: Request, head: PageHead) => Promise<boolean>;
  /** What the start page points at, locally. Undefined: `/` leads straight to the pages. */
  readonly signposts: readonly Signpost[] | undefined;
}

/** Everything comes from this host, nothing is inline, and no form is sent but by the script. */
const policy = pagePolicy({
  script: "'self'",
  style: "'self'",
  image: "'self' data:",
  connect: "'self'",
  trustedTypes: true,
});

const hidden = { detail: { hide: true } } as const;

/** The single-page account UI: the page at each of its paths, what it loads, and `/`. */
export function accountPages(options: AccountPagesOptions): Module<ReturnType<typeof accountRoutes>> {
  return { routes: accountRoutes(options) };
}

function accountRoutes({ config, isSignedIn, signposts, ...options }: AccountPagesOptions) {
  const settings = settingsOf(config, options);
  const { base } = settings;
  const findBundle = createBundleSource();

  /** The page at a path. It tells nothing of its reader, so that a browser may keep it, and ask whether it is still the same. */
  async function show(path: Path, request: Request, head: PageHead): Promise<string | Response> {
    const language = pickLanguage(preferredTags(request.headers.get("accept-language") ?? ""));
    const html = showPage(head, shell({ path, language, settings, bundle: await findBundle() }), policy);
    head.headers["cache-control"] = "no-cache";
    head.headers["vary"] = "Accept-Language";
    const etag = `"${new Bun.CryptoHasher("sha256").update(html).digest("hex").slice(0, 32)}"`;
    head.headers["etag"] = etag;
    if (request.headers.get("if-none-match") !== etag) return html;
    return new Response(null, { status: 304 });
  }

  const routes = new Elysia({ name: "account" })
    .get(
      "/",
      async ({ request, set }) => {
        if (signposts !== undefined)
          return showPage(set, startPage({ settings, bundle: await findBundle(), signposts }), policy);
        return leadTo(set, `${base}${(await isSignedIn(request, set)) ? "/account" : "/login"}`);
      },
      hidden,
    )
    .get(
      "/account",
      async ({ request, set }) => {
        if (!(await isSignedIn(request, set)))
          return leadTo(set, `${base}/login?next=${encodeURIComponent(`${base}/account`)}`);
        const page = await show("/account", request, set);
        // What the browser's part writes into this page is personal: the page must not come back after a sign-out.
        set.headers["cache-control"] = "no-store";
        return page;
      },
      hidden,
    )
    // Where password managers lead who is to choose another password (W3C, A Well-Known URL for Changing Passwords).
    .get("/.well-known/change-password", ({ set }) => leadTo(set, `${base}/account#password`, 302), hidden)
    .get(
      `${assetFolder}/:file`,
      async ({ params, request }) => {
        const file = fileNamed(await findBundle(), params.file);
        return file === undefined ? new Response(null, { status: 404 }) : answerWith(file, params.file, request);
      },
      hidden,
    );
  for (const path of paths)
    if (path !== "/account") routes.get(path, ({ request, set }) => show(path, request, set), hidden);
  return routes;
}

function settingsOf(
  { app, auth }: AccountPagesOptions["config"],
  { providers, maxPasswordLength }: Pick<AccountPagesOptions, "providers" | "maxPasswordLength">,
): Settings {
  return {
    product: app.displayName,
    base: app.url.pathname.replace(/\/+$/, ""),
    providers,
    password: { minLength: auth.passwordMinLength, maxLength: maxPasswordLength, require: auth.passwordRequire },
    verifiesAddress: auth.registerRequiresEmailVerification,
  };
}
