import { Elysia } from "elysia";
import { termsOf } from "../account/shared/terms.ts";
import type { PageAuth, PageFactors, PageOwn, PageWays } from "../auth/index.ts";
import { allowedOriginsOf, type Config } from "../config/index.ts";
import { basePath } from "../core/address/url.parts.ts";
import type { Clock } from "../core/clock.ts";
import { deriveKey } from "../core/crypto.ts";
import type { Module } from "../core/module.ts";
import type { PasswordRules } from "../core/people/password.rules.ts";
import { createRouteFinder, hidden, type RequestFacts } from "../http/index.ts";
import { leadTo } from "../http/pages/answer.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import { PageStyle } from "../http/pages/document.tsx";
import { createFormTokens } from "../http/pages/form.tokens.ts";
import { pagePolicy } from "../http/pages/policy.ts";
import { assetRoutes } from "../http/pages/style/assets.ts";
import type { Log } from "../observe/index.ts";
import type { Words } from "../words/index.ts";
import { createContexts } from "./account/contexts.ts";
import { createAccountPages, type Desk } from "./account/desk.ts";
import { accountRoutes } from "./account/routes.ts";
import { scriptAsset, styleAsset } from "./assets.ts";
import type { KitFrame } from "./frame/frame.ts";
import { createNotices } from "./frame/notices.ts";
import { createRefusals } from "./frame/refusals.ts";
import type { ConnectedApps } from "./holdings/apps.pages.tsx";
import { invitationRoutes } from "./invitation/routes.ts";
import { createEntryForms } from "./sign.in/entry.forms.ts";
import { createEntryPages } from "./sign.in/entry.ts";
import { createNext } from "./sign.in/next.ts";
import { signInRoutes } from "./sign.in/routes.ts";

interface KitOptions {
  readonly config: Pick<Config, "app" | "auth" | "http">;
  readonly auth: PageAuth;
  readonly factors: PageFactors;
  readonly ways: PageWays;
  readonly own: PageOwn;
  /** What programs hold for people; undefined where none signs people in here. */
  readonly apps: ConnectedApps | undefined;
  readonly words: Words;
  readonly brand: Pick<Brand, "mark" | "look">;
  readonly passwordRules: PasswordRules;
  readonly facts: RequestFacts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Serves the pages for people that the server writes: the sign-in with all that belongs to it, and the account. */
export function kitPages(options: KitOptions): Module<ReturnType<typeof kitRoutes>> {
  const routes = kitRoutes(options);
  const find = createRouteFinder(routes.routes);
  return { routes, takesForm: (path) => find(path) !== undefined };
}

/** The pages that a form of the sign-in may lead to at once, since they lead to no other host. */
const own = /^\/(?:$|account(?:[/?#]|$)|accept-invitation(?:\?|$))/;

function kitRoutes(options: KitOptions) {
  const { config, auth, factors, words, brand, passwordRules, facts, clock, log } = options;
  const { app } = config;
  const base = basePath(app.url);
  const href = (path: string): string => `${base}${path}`;
  const key = deriveKey(config.auth.jwtSecret, `kit/${app.name}`);
  const { isSecure } = auth;
  const { look } = brand;
  const frame: KitFrame = {
    words,
    mark: brand.mark,
    style: PageStyle({ href: href(styleAsset.href), look }),
    schemes: look.schemes,
    script: href(scriptAsset.href),
    href,
  };
  const policy = pagePolicy({
    ...look.sources,
    script: "'self'",
    image: "'self' data:",
    connect: "'self'",
    form: "'self'",
  });
  const tokens = createFormTokens(key);
  const notices = createNotices({ cookie: `${app.name}_notice`, key, isSecure });
  const forms = createEntryForms({ app: app.name, key, isSecure });
  const refusalOf = createRefusals({ auth, facts, log });
  const entry = createEntryPages({ frame, policy, forms, refusalOf, facts, clock });
  const next = createNext({
    origin: app.url.origin,
    allowed: allowedOriginsOf(config),
    href,
    home: "/account",
    isOwn: (address) => address.startsWith(base) && own.test(address.slice(base.length)),
  });
  const contextOf = createContexts({ own: options.own, frame, tokens, notices, facts, clock });
  const pages = createAccountPages({ auth, href, policy, tokens, notices, entry, refusalOf, contextOf });
  const terms = termsOf(app);
  const { own: ownAccount, apps } = options;
  const hasTokens = config.auth.personalTokensEnabled;
  const desk: Desk = { pages, auth, own: ownAccount, factors, apps, hasTokens };
  const chosen = config.auth.loginMethods;
  const ways = (["password", "passkey", ...(config.auth.emailLoginEnabled ? (["email"] as const) : [])] as const)
    .filter((way) => chosen.length === 0 || chosen.includes(way))
    .toSorted((a, b) => chosen.indexOf(a) - chosen.indexOf(b));
  const mail = config.auth.emailLoginEnabled ? { mails: options.ways, ttlMs: config.auth.emailLoginTtlMs } : undefined;
  return (
    new Elysia({ name: "kit" })
      .get("/", ({ set }) => leadTo(set, href("/account")), hidden)
      // Password managers lead here for a change of the password (W3C, A Well-Known URL for Changing Passwords).
      .get("/.well-known/change-password", ({ set }) => leadTo(set, href("/account/password"), 302), hidden)
      .use(assetRoutes("kit/assets", [styleAsset, scriptAsset]))
      .use(signInRoutes({ config, auth, factors, href, next, entry, tokens, passwordRules, mail, ways }))
      .use(invitationRoutes({ ways: options.ways, words, entry, href, passwordRules, terms }))
      .use(accountRoutes({ desk, passwordRules, terms }))
  );
}
