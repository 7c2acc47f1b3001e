import { Elysia } from "elysia";
import type { PageAuth, PageFactors } from "../auth/index.ts";
import type { Config } from "../config/index.ts";
import { basePath } from "../core/address/url.parts.ts";
import type { Clock } from "../core/clock.ts";
import { impersonationBy } from "../core/people/staff.ts";
import { deriveKey } from "../core/crypto.ts";
import type { Module } from "../core/module.ts";
import type { PasswordRules } from "../core/people/password.rules.ts";
import { createForwardedPaths, createRouteFinder, type RequestFacts } from "../http/index.ts";
import { assetRoutes } from "../http/pages/style/assets.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import { createFormTokens } from "../http/pages/form.tokens.ts";
import {
  createEntryForms,
  createEntryPages,
  createNext,
  createNotices,
  createRefusals,
  signInRoutes,
  twoStepRoutes,
} from "../kit/index.ts";
import type { Log } from "../observe/index.ts";
import type { OrganizationDesk } from "../organization/index.ts";
import { consoleNavigation, consoleRoutes } from "./console/index.ts";
import type { ConsoleParts } from "./console/options.ts";
import { scriptAsset, staffPolicy, styleAsset } from "./frame/assets.ts";
import { PageStyle } from "../http/pages/document.tsx";
import { twoStepPath, type StaffFrame } from "./frame/context.ts";
import { invitationRoutes, type InvitationRouteOptions } from "./invitations/invitation.routes.ts";
import { organizationsPath } from "./organizations/paths.ts";
import { organizationRoutes } from "./organizations/routes.ts";
import { createStaffPages, type StaffPages } from "./pages.ts";
import { actingRoutes, type ActingOptions } from "./people/acting/routes.ts";
import { peopleRoutes, type PeopleRouteOptions } from "./people/people.routes.ts";

import type { Words } from "../words/index.ts";

export type { ConsoleParts } from "./console/options.ts";

interface StaffOptions {
  readonly config: Pick<Config, "app" | "auth" | "lighthouse" | "metrics">;
  readonly auth: PageAuth;
  readonly factors: PageFactors;
  readonly people: Omit<PeopleRouteOptions, "staff" | "impersonation" | "showsOrganizations">;
  /** Undefined where people belong to no organizations. */
  readonly organizations: OrganizationDesk | undefined;
  readonly invitations: InvitationRouteOptions["invitations"];
  readonly words: Words;
  readonly impersonations: ActingOptions["impersonations"];
  readonly brand: Pick<Brand, "mark" | "look">;
  readonly passwordRules: PasswordRules;
  /** The parts of the pages of operation. */
  readonly console: ConsoleParts;
  readonly facts: RequestFacts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Serves the pages of the admin app: those on which staff sign in, and those that they reach afterwards. */
export function staffPages(options: StaffOptions): Module<ReturnType<typeof staffRoutes>> {
  const routes = staffRoutes(options);
  const find = createRouteFinder(routes.routes);
  const isPage = (path: string): boolean => find(path) !== undefined;
  return { routes, isHidden: isPage, takesForm: isPage };
}

/** Returns the links in the header of every page. */
const navigationOf = ({ organizations, console, config: { lighthouse } }: StaffOptions): StaffFrame["navigation"] => [
  { path: "/", label: "dashboard", may: "dashboard.see" },
  { path: "/people", label: "people", may: "people.see" },
  ...(organizations === undefined
    ? []
    : [{ path: organizationsPath, label: "organizations", may: "organizations.see" } as const]),
  ...consoleNavigation(console),
  ...(lighthouse.secret === "" ? [] : [{ path: "/lighthouse", label: "lighthouse", may: "lighthouse.see" } as const]),
];

/** What depends on the app alone. Staff come to work here, and not to the app for people: the product leads to the first page. */
function frameOf(options: StaffOptions, href: (path: string) => string): StaffFrame {
  const { config, words, brand } = options;
  const { app } = config;
  return {
    words,
    mark: { ...brand.mark, home: href("/") },
    style: PageStyle({ href: href(styleAsset.href), look: brand.look }),
    schemes: brand.look.schemes,
    script: href(scriptAsset.href),
    place: `${app.name} · ${app.env}`,
    audience: ({ forStaff }) => (app.env === "production" ? forStaff : `${forStaff} · ${app.env}`),
    navigation: navigationOf(options),
    href,
  };
}

/** The viewer's own second step, which some have to set up before anything else. */
const ownFactors = { may: "own.manage", isOpenWithoutFactor: true } as const;

/** Returns the address of the app in which staff act in somebody's name. Locally both apps have their usual ports. */
const appUrlOf = ({ config: { app } }: StaffOptions): URL =>
  app.otherUrl ?? new URL(`http://localhost:${app.otherPort ?? 3000}`);

/** The pages on which staff say why they look at an account; none where nobody may. */
function actingPages(options: StaffOptions, staff: StaffPages) {
  const { config, people, impersonations } = options;
  const may = impersonationBy(config.auth.impersonators);
  if (may === undefined) return new Elysia();
  const [ownUrl, appUrl] = [config.app.url, appUrlOf(options)];
  return actingRoutes({ staff, may, people: people.people, impersonations, ownUrl, appUrl });
}

function organizationPages({ organizations, people, console }: StaffOptions, staff: StaffPages) {
  if (organizations === undefined) return new Elysia();
  const { accounts, namesOf } = people;
  return organizationRoutes({ staff, organizations, accounts, audit: console.audit, namesOf });
}

function staffRoutes(options: StaffOptions) {
  const { config, auth, factors, people, organizations, invitations, brand, passwordRules, facts, clock, log } =
    options;
  const { app } = config;
  const base = basePath(app.url);
  const key = deriveKey(config.auth.jwtSecret, `staff/${app.name}`);
  const href = (path: string): string => `${base}${path}`;
  const frame = frameOf(options, href);
  const impersonation = impersonationBy(config.auth.impersonators);
  const policy = staffPolicy(brand.look, impersonation && appUrlOf(options));
  const tokens = createFormTokens(key);
  const { isSecure } = auth;
  const notices = createNotices({ cookie: `${app.name}_notice`, key, isSecure });
  const forms = createEntryForms({ app: app.name, key, isSecure });
  const refusalOf = createRefusals({ auth, facts, log });
  const entry = createEntryPages({ frame, policy, forms, refusalOf, facts, clock });
  // Staff go on to pages of this app alone, none of which leads to another host.
  const next = createNext({ origin: app.url.origin, href, home: "/" });
  const isAbsent = createForwardedPaths(config);
  const staff = createStaffPages({
    auth,
    frame,
    policy,
    tokens,
    notices,
    entry,
    refusalOf,
    isAbsent,
    facts,
    uses: options.console.audit.uses,
    clock,
  });
  return new Elysia({ name: "staff" })
    .use(assetRoutes("staff/assets", [styleAsset, scriptAsset]))
    .use(
      signInRoutes({ config, auth, factors, href, next, entry, tokens, passwordRules, ways: ["password", "passkey"] }),
    )
    .use(twoStepRoutes({ pages: staff, access: ownFactors, path: twoStepPath, factors }))
    .use(invitationRoutes({ staff, invitations }))
    .use(peopleRoutes({ staff, ...people, impersonation, showsOrganizations: organizations !== undefined }))
    .use(actingPages(options, staff))
    .use(organizationPages(options, staff))
    .use(consoleRoutes({ ...options.console, staff }));
}
