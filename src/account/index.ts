import { Elysia } from "elysia";
import { answerInLanguage, answerWith, assetFolder, createBundleSource, leadTo as loadInstead } from "./assets.ts";
import { allowedOriginsOf, type Config } from "../config/index.ts";
import { basePath, isWithin, passkeyUrl } from "../core/address/url.parts.ts";
import { contentHash } from "../core/crypto.ts";
import type { Module } from "../core/module.ts";
import { hidden, preferredTags, queryOf } from "../http/index.ts";
import { leadTo, showPage, type PageHead } from "../http/pages/answer.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import type { Look } from "../http/pages/brand/look.ts";
import { writeDocument } from "../http/pages/document.tsx";
import type { Html } from "../http/pages/jsx-runtime.ts";
import { pagePolicy } from "../http/pages/policy.ts";
import { underNextName } from "./names.ts";
import { isPersonal, paths, type Path, type Settings } from "./shared/settings.ts";
import { termsOf } from "./shared/terms.ts";
import { shell, startPage, type Signpost } from "./pages.tsx";
import type { Words } from "../words/index.ts";
import { createSpeeches, languageOf } from "./speeches.ts";

export type { Signpost } from "./pages.tsx";

interface AccountPagesOptions {
  readonly config: Pick<Config, "app" | "auth" | "http" | "idp" | "organizations">;
  readonly words: Words;
  readonly brand: Pick<Brand, "mark" | "look">;
  readonly providers: Settings["providers"];
  readonly passwordRules: Settings["password"];
  /** Whether a request has a valid session. Renews an access cookie that has expired. */
  readonly isSignedIn: (request: Request, head: PageHead) => Promise<boolean>;
  /** The links of the local start page. Undefined: `/` leads straight to the pages. */
  readonly signposts: readonly Signpost[] | undefined;
}

/**
 * Returns the policy of the pages. All parts come from this host, nothing is inline but what an operator has chosen, and only the script sends
 * forms.
 */
const policyWith = ({ sources }: Look): string =>
  pagePolicy({
    ...sources,
    script: "'self'",
    image: "'self' data:",
    connect: "'self'",
    trustedTypes: true,
  });

const mostAsked = 5;

/** Returns the language that an app has asked for on behalf of its visitor (OpenID Connect Core §3.1.2.1), or that of the browser. */
function languageFor(request: Request, words: Words): string {
  const tags = queryOf(request).get("ui_locales")?.split(" ", mostAsked) ?? [];
  return words.pick([...tags, ...preferredTags(request.headers.get("accept-language") ?? "")]);
}

/** Serves the single-page account UI: the page at each of its paths, the files that it loads, and `/`. */
export function accountPages(options: AccountPagesOptions): Module<ReturnType<typeof accountRoutes>> {
  return { routes: accountRoutes(options) };
}

function accountRoutes(options: AccountPagesOptions) {
  const { words, brand, isSignedIn, signposts } = options;
  const settings = settingsOf(options);
  const { base } = settings;
  const policy = policyWith(brand.look);
  const findBundle = createBundleSource();
  const speak = createSpeeches(words);

  /** Written pages, one for each path and language: a page is the same for all readers of its language. */
  const written = new Map<string, { readonly page: Html; readonly etag: string }>();
  async function pageAt(path: Path, language: string) {
    const known = written.get(`${language} ${path}`);
    if (known !== undefined) return known;
    const bundle = await findBundle();
    const page = shell({
      path,
      language,
      words: words.say(language, "pages"),
      speech: await speak(bundle, language),
      settings,
      mark: brand.mark,
      look: brand.look,
      bundle,
    });
    const made = { page, etag: `"${contentHash(writeDocument(page)).slice(0, 32)}"` };
    written.set(`${language} ${path}`, made);
    return made;
  }

  /** Sends the page at a path. The page tells nothing of its reader, so a browser may keep it and ask whether it has changed. */
  async function show(path: Path, request: Request, head: PageHead): Promise<string | Response> {
    const language = languageFor(request, words);
    const { page, etag } = await pageAt(path, language);
    const html = showPage(head, page, policy);
    head.headers["cache-control"] = "no-cache";
    head.headers["vary"] = "Accept-Language";
    // The address may hold a token. Requests of the script still carry their origin (Fetch, 3.2); only forms would lose it.
    head.headers["referrer-policy"] = "no-referrer";
    head.headers["etag"] = etag;
    if (request.headers.get("if-none-match") !== etag) return html;
    return new Response(null, { status: 304 });
  }

  const routes = new Elysia({ name: "account" })
    .get(
      "/",
      async ({ request, set }) => {
        if (signposts !== undefined)
          return showPage(
            set,
            startPage({
              settings,
              icon: brand.mark.icon,
              look: brand.look,
              bundle: await findBundle(),
              signposts,
            }),
            policy,
          );
        return leadTo(set, `${base}${(await isSignedIn(request, set)) ? "/account" : "/login"}`);
      },
      hidden,
    )
    // Password managers lead here for a change of the password (W3C, A Well-Known URL for Changing Passwords).
    .get("/.well-known/change-password", ({ set }) => leadTo(set, `${base}/account#password`, 302), hidden)
    .get(
      `${assetFolder}/:name`,
      async ({ params, request }) => {
        // A page of an earlier release asks for a script with the language in its name.
        const before = /^main\.(en|de)\./.exec(params.name)?.[1];
        const bundle = await findBundle();
        if (before === undefined) return answerWith(bundle, params.name, request);
        return loadInstead(`./${(await speak(bundle, before)).folder}/${bundle.main}`);
      },
      hidden,
    )
    .get(
      `${assetFolder}/:name/:file`,
      async ({ params, request }) => {
        const { name: folder, file } = params;
        const bundle = await findBundle();
        const speech = await speak(bundle, words.pick([languageOf(folder)]));
        return answerInLanguage(bundle, speech, { folder, file }, request);
      },
      hidden,
    );
  async function showSignIn(path: Path, request: Request, head: PageHead): Promise<string | Response> {
    const home = underNextName(request, options.config);
    return home === undefined
      ? show(path, request, head)
      : leadTo(head, `${home}${base}${path}?${queryOf(request).toString()}`);
  }
  async function showPersonal(path: Path, request: Request, head: PageHead): Promise<string | Response> {
    if (!(await isSignedIn(request, head))) {
      const id = path === "/account/organization" ? queryOf(request).get("id") : null;
      const back = `${base}${path}${id === null ? "" : `?id=${encodeURIComponent(id)}`}`;
      return leadTo(head, `${base}/login?next=${encodeURIComponent(back)}`);
    }
    const page = await show(path, request, head);
    // The browser's part writes personal data into this page, which must not come back after a sign-out.
    head.headers["cache-control"] = "no-store";
    return page;
  }
  const isOn = (path: Path): boolean => path !== "/account/organization" || settings.organizations !== undefined;
  for (const path of paths.filter(isOn)) {
    const showPath = isPersonal(path) ? showPersonal : path === "/login" ? showSignIn : show;
    routes.get(path, ({ request, set }) => showPath(path, request, set), hidden);
  }
  return routes;
}

/** Returns the ways to sign in that the page offers: those that an operator has chosen, or all that are on. */
const waysOf = (
  { loginMethods, emailLoginEnabled }: Config["auth"],
  providers: Settings["providers"],
): readonly string[] =>
  loginMethods.length > 0
    ? loginMethods
    : [
        "password",
        "passkey",
        ...(emailLoginEnabled ? ["email"] : []),
        ...providers.map(({ name }) => `provider:${name}`),
      ];

function settingsOf({ config, words, brand, providers, passwordRules }: AccountPagesOptions): Settings {
  const { app, auth, idp, organizations } = config;
  const base = basePath(app.url);
  const { product, home, logo } = brand.mark;
  const passkeyDomain = auth.webauthnRpId ?? passkeyUrl(app.url).hostname;
  return {
    product,
    home,
    ...(logo && { logo }),
    base,
    languages: words.languages,
    origins: allowedOriginsOf(config),
    providers,
    ways: waysOf(auth, providers),
    password: passwordRules,
    registration: {
      isOpen: auth.registrationEnabled,
      verifiesAddress: auth.registerRequiresEmailVerification,
    },
    terms: termsOf(app),
    passkeyDomain,
    relatedOrigins: auth.webauthnOrigins.filter((origin) => !isWithin(new URL(origin).hostname, passkeyDomain)),
    ...(auth.passwordless === "allowed" && { passwordless: true }),
    mfaRequired: auth.mfaRequired,
    personalTokens: auth.personalTokensEnabled,
    ...(auth.impersonators.length > 0 && { impersonation: true }),
    apps: idp.enabled,
    ...(organizations.enabled && { organizations: { anyoneMakes: organizations.creation === "anyone" } }),
    ...(auth.emailLoginEnabled && { mailSignIn: { ttlMs: auth.emailLoginTtlMs } }),
    links: { resetMs: auth.passwordResetTtlMs, verificationMs: auth.emailVerificationTtlMs },
  };
}
